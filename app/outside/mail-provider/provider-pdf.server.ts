import { Agent, request } from "undici";
import { env } from "~/platform/env.server";
import { readBytes } from "~/platform/http/body.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { lookUpPublic } from "~/platform/public-address.server";

const TIME_LIMIT_MS = 20_000;
const LIMIT_MB = 20;
const CONNECT_TIMEOUT_MS = 5_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Second-level names under which countries register: `other.co.uk` and `example.co.uk` have different owners. */
const SHARED_SECOND = new Set(["ac", "co", "com", "edu", "gen", "gob", "gov", "net", "nom", "or", "org"]);
const PDF_START = Buffer.from("%PDF");

/** True for the hosts of base URLs, which may be private. Any other name could lead into this network. */
const isBase = (hostname: string) => env().baseUrls.some((base) => new URL(base.url).hostname === hostname);

const agent = new Agent({
  connections: 8,
  connect: { timeout: CONNECT_TIMEOUT_MS, lookup: lookUpPublic(isBase) },
  headersTimeout: TIME_LIMIT_MS,
  bodyTimeout: TIME_LIMIT_MS,
});

/**
 * Parses the address of a PDF; null when it may not be fetched. Allowed are https on the host of a base URL, and on the default
 * port of another host of the same owner (`us.stannp.com` for `api-us1.stannp.com`). On loopback any port is allowed.
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

/** Returns `stannp.com` for `api-us1.stannp.com`; null when only the host itself certainly belongs to its owner. */
function findOwner(host: string): string | null {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  // An IP address or a host that ends in a dot has no owner.
  if (!/^[a-z][a-z0-9-]*$/.test(last) || host.startsWith("[")) return null;
  const shared = last.length === 2 && SHARED_SECOND.has(labels.at(-2) ?? "");
  const count = shared ? 3 : 2;
  return labels.length >= count ? labels.slice(-count).join(".") : null;
}

/**
 * Fetches a PDF without a key and without redirects. Fails with `not_found` when the link has expired, and with
 * `provider_unreachable` or `provider_timeout`.
 * @param url result of {@link findPdfAddress}
 */
export async function fetchProviderPdf(url: URL): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      headers: { accept: "application/pdf", "user-agent": "Mailroom", "accept-encoding": "identity" },
      signal,
    });
    if (answer.statusCode !== 200) {
      answer.body.on("error", () => undefined).destroy();
      if ([401, 403, 404, 410].includes(answer.statusCode)) {
        return fail(
          "not_found",
          "The provider's link to this PDF has expired, as it does after about 30 minutes. Test again to see it.",
        );
      }
      const problem = `The provider answered ${answer.statusCode} instead of its PDF.`;
      return fail("provider_unreachable", `${problem} Try again in a moment, or test again.`);
    }
    const bytes = await readBytes(answer.body, LIMIT_MB * 1024 * 1024);
    if (bytes === null) {
      const message = `The provider's PDF is larger than ${LIMIT_MB} MB, so it is not shown here.`;
      return fail("provider_unreachable", message);
    }
    return bytes.subarray(0, PDF_START.length).equals(PDF_START)
      ? succeed(new Uint8Array(bytes))
      : fail("provider_unreachable", "The provider's file is not a PDF. Test again.");
  } catch {
    if (!signal.aborted) {
      const message = "The provider's PDF could not be fetched. Try again in a moment.";
      return fail("provider_unreachable", message);
    }
    const message = `The provider's PDF did not arrive within ${TIME_LIMIT_MS / 1000} s. Try again.`;
    return fail("provider_timeout", message);
  }
}
