import { isLocalReceiver, isPrivateHost } from "~/outside/webhook-receiver/call-receiver.server";
import { PROBLEMS } from "./messages";

/** Names of this machine and its network, which would be refused at each try. */
const PRIVATE_NAME = /^(localhost|[^.]+)$|\.(localhost|local|internal|home\.arpa)$/;

/** Finds the problem of an address that a person typed; null without one. Each connection checks where its name leads. */
export function findTargetProblem(written: string): string | null {
  if (!URL.canParse(written)) return PROBLEMS.url;
  const url = new URL(written);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return PROBLEMS.urlParts;
  if (isLocalReceiver(url)) return null;
  if (url.protocol !== "https:") return PROBLEMS.url;
  const host = url.hostname.replace(/\.$/, "");
  const isName = !/^[\d.]+$|^\[/.test(host);
  return isPrivateHost(url) || (isName && PRIVATE_NAME.test(host)) ? PROBLEMS.urlPrivate : null;
}

/** An address as it is shown: a query may have a secret of the receiver's in it. */
export function formatAddress(written: string): string {
  const { origin, pathname, search } = new URL(written);
  return origin + pathname + (search === "" ? "" : "?…");
}
