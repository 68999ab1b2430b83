import { isLocalReceiver, isPrivateHost } from "~/outside/webhook-receiver/call-receiver.server";
import { PROBLEMS } from "./messages";

/** Names of this machine and its network. */
const PRIVATE_NAME = /^(localhost|[^.]+)$|\.(localhost|local|internal|home\.arpa)$/;

/** Finds the problem of a typed address, or null. Each connection also checks the IP address of its name. */
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

/** Formats an address without its query, which may hold a secret. */
export function formatAddress(written: string): string {
  const { origin, pathname, search } = new URL(written);
  return origin + pathname + (search === "" ? "" : "?…");
}
