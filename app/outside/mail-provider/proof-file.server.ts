import { Agent, request } from "undici";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";

/** The PDF that the provider makes of a test, fetched from where its answer says, without a key. */

const TIME_LIMIT_MS = 20_000;
const SIZE_LIMIT_BYTES = 20 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Second-level names under which countries register: `example.co.uk` is nobody's but its own. */
const SHARED_SECOND = new Set(["ac", "co", "com", "edu", "gen", "gob", "gov", "net", "nom", "or", "org"]);
const PDF_START = "%PDF";

const LINK_OVER =
  "The provider's link to this proof has run out, which happens after about 30 minutes. Test again to see it.";

let agent: Agent | undefined;

/**
 * The address of a proof, when it may be fetched: https on a configured base URL's host or another one of the same
 * owner (`us.stannp.com` for `api-us1.stannp.com`), its default port; on this machine any port of a base's own host.
 * Null for every other.
 */
export function findProofAddress(written: string): URL | null {
  if (/[\s\\]/.test(written) || !URL.canParse(written)) return null;
  const url = new URL(written);
  url.hash = "";
  if (url.username !== "" || url.password !== "") return null;
  return env().baseUrls.some((base) => isOfOwner(url, new URL(base.url))) ? url : null;
}

function isOfOwner(url: URL, base: URL): boolean {
  if (LOOPBACK.has(base.hostname)) {
    return url.hostname === base.hostname && (url.protocol === "http:" || url.protocol === "https:");
  }
  if (url.protocol !== "https:") return false;
  if (url.host === base.host) return true;
  const owner = findOwner(base.hostname);
  return owner !== null && url.port === "" && (url.hostname === owner || url.hostname.endsWith(`.${owner}`));
}

/** `stannp.com` of `api-us1.stannp.com`; null where nothing but the host itself is sure to be its owner's. */
function findOwner(host: string): string | null {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  // Addresses in numbers have no owner, nor has a host that ends in a dot.
  if (!/^[a-z][a-z0-9-]*$/.test(last) || host.startsWith("[")) return null;
  const shared = last.length === 2 && SHARED_SECOND.has(labels.at(-2) ?? "");
  const count = shared ? 3 : 2;
  return labels.length >= count ? labels.slice(-count).join(".") : null;
}

/**
 * Fetches a proof. Redirects are not followed. Fails with `not_found` when the link has run out, and with
 * `provider_unreachable` or `provider_timeout`.
 * @param url from {@link findProofAddress}
 */
export async function fetchProofFile(url: URL): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIME_LIMIT_MS);
  try {
    const answer = await request(url, {
      dispatcher: openAgent(),
      method: "GET",
      headers: { accept: "application/pdf", "user-agent": "Mailroom", "accept-encoding": "identity" },
      signal: controller.signal,
    });
    if (answer.statusCode !== 200) {
      controller.abort();
      await answer.body.dump().catch(() => undefined);
      return refuseStatus(answer.statusCode);
    }
    return await readFile(answer.body);
  } catch {
    return controller.signal.aborted
      ? fail(
          "provider_timeout",
          `The provider's proof did not arrive within ${TIME_LIMIT_MS / 1000} s. Try again.`,
        )
      : fail("provider_unreachable", "The provider's proof could not be fetched. Try again in a moment.");
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function refuseStatus(status: number): Outcome<never> {
  if ([401, 403, 404, 410].includes(status)) return fail("not_found", LINK_OVER);
  return fail(
    "provider_unreachable",
    `The provider answered ${status} in place of its proof. Try again in a moment, or test again.`,
  );
}

async function readFile(body: AsyncIterable<Buffer>): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > SIZE_LIMIT_BYTES) {
      return fail(
        "provider_unreachable",
        `The provider's proof is larger than ${SIZE_LIMIT_BYTES / 1024 / 1024} MB, so it is not shown here.`,
      );
    }
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (new TextDecoder("latin1").decode(bytes.subarray(0, PDF_START.length)) !== PDF_START) {
    return fail("provider_unreachable", "What the provider keeps as its proof is no PDF. Test again.");
  }
  return succeed(bytes);
}

function openAgent(): Agent {
  agent ??= new Agent({
    connections: 8,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: TIME_LIMIT_MS,
    bodyTimeout: TIME_LIMIT_MS,
  });
  return agent;
}
