import { Agent, request } from "undici";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { lookUpPublic } from "~/platform/public-address.server";

const PDF_LINK_EXPIRED =
  "The provider's link to this PDF has expired, as it does after about 30 minutes. Test again to see it.";
const PDF_NOT_FETCHED = "The provider's PDF could not be fetched. Try again in a moment.";
const PDF_NOT_A_PDF = "The provider's file is not a PDF. Test again.";

/** The provider's PDF of a piece, fetched without a key from the address that its answer names. */

const TIME_LIMIT_MS = 20_000;
const SIZE_LIMIT_BYTES = 20 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Second-level names under which countries register: `other.co.uk` is not of the same owner as `example.co.uk`. */
const SHARED_SECOND = new Set(["ac", "co", "com", "edu", "gen", "gob", "gov", "net", "nom", "or", "org"]);
const PDF_START = "%PDF";

let agent: Agent | undefined;

/**
 * The address of a PDF when it may be fetched, else null: https on the host of a configured base URL, or on the default
 * port of another host of the same owner (`us.stannp.com` for `api-us1.stannp.com`). On loopback any port will do.
 */
export function findPdfAddress(written: string): URL | null {
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

/** `stannp.com` of `api-us1.stannp.com`; null where only the host itself is sure to belong to its owner. */
function findOwner(host: string): string | null {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  // IP addresses have no owner, nor has a host that ends in a dot.
  if (!/^[a-z][a-z0-9-]*$/.test(last) || host.startsWith("[")) return null;
  const shared = last.length === 2 && SHARED_SECOND.has(labels.at(-2) ?? "");
  const count = shared ? 3 : 2;
  return labels.length >= count ? labels.slice(-count).join(".") : null;
}

/**
 * Fetches a PDF. Redirects are not followed. Fails with `not_found` when the link has expired, and with
 * `provider_unreachable` or `provider_timeout`.
 * @param url from {@link findPdfAddress}
 */
export async function fetchProviderPdf(url: URL): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
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
    return await collectPdf(answer.body);
  } catch {
    return controller.signal.aborted
      ? fail("provider_timeout", formatPdfTimeout(TIME_LIMIT_MS / 1000))
      : fail("provider_unreachable", PDF_NOT_FETCHED);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function refuseStatus(status: number): Outcome<never> {
  if ([401, 403, 404, 410].includes(status)) return fail("not_found", PDF_LINK_EXPIRED);
  return fail("provider_unreachable", formatPdfStatus(status));
}

async function collectPdf(body: AsyncIterable<Buffer>): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > SIZE_LIMIT_BYTES) {
      return fail("provider_unreachable", formatPdfTooLarge(SIZE_LIMIT_BYTES / 1024 / 1024));
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
    return fail("provider_unreachable", PDF_NOT_A_PDF);
  }
  return succeed(bytes);
}

/** The host of a base URL may be anywhere, since calls go there with the key. Another name could lead into this network. */
const isBase = (hostname: string) => env().baseUrls.some((base) => new URL(base.url).hostname === hostname);

function openAgent(): Agent {
  agent ??= new Agent({
    connections: 8,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: lookUpPublic(isBase) },
    headersTimeout: TIME_LIMIT_MS,
    bodyTimeout: TIME_LIMIT_MS,
  });
  return agent;
}

function formatPdfTimeout(seconds: number): string {
  return `The provider's PDF did not arrive within ${seconds} s. Try again.`;
}

function formatPdfStatus(status: number): string {
  return `The provider answered ${status} instead of its PDF. Try again in a moment, or test again.`;
}

function formatPdfTooLarge(limitMegabytes: number): string {
  return `The provider's PDF is larger than ${limitMegabytes} MB, so it is not shown here.`;
}
