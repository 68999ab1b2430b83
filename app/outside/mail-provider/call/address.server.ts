import { env } from "~/platform/env.server";
import type { BaseUrl } from "~/platform/env-variables.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { decodePercent, encodePercent } from "~/platform/percent";
import { isCredentialName, withoutCredentials } from "./wire.server";

const MAX_PATH_CHARS = 2_048;
const DASH_LABEL = "dash";
/** Escapes of characters that RFC 3986 allows in a segment. They are written unescaped. */
const READABLE = /%(?:2B|2C|3A|3D)/g;

/**
 * Finds the allowed base of a caller's address; the first one without an address. Only the case of scheme and host, the
 * default port and a closing slash may differ, because a parser would accept many more spellings.
 */
export function findBase(address: string | null): Outcome<BaseUrl> {
  const { baseUrls } = env();
  if (address === null || address === "") return succeed(baseUrls[0]);
  const wanted = spellPlainly(address);
  const base = baseUrls.find(({ url }) => url === wanted);
  if (base) return succeed(base);
  const allowed = baseUrls.map(({ label, url }) => `${label} ${url}`).join(", ");
  return fail("forbidden", `This base URL is not allowed. ${NOTHING_DONE} Allowed: ${allowed}.`);
}

/** Finds the allowed base of an earlier call's URL; null when it is no longer allowed. */
export function findBaseOf(url: string): BaseUrl | null {
  return env().baseUrls.find((base) => url.startsWith(`${base.url}/`)) ?? null;
}

/** True when 'Append .json to path' is forced on. For other bases it is forced off. */
export function forcesJson(base: BaseUrl): boolean {
  return base.label.toLowerCase() === DASH_LABEL;
}

/**
 * Normalises a path to the spelling that is classified and sent. Fails with `bad_input` for spellings that could leave the
 * base or mean another path: absolute addresses, `..`, empty segments, encoded slashes, double encoding, control characters,
 * queries and fragments.
 */
export function normalisePath(path: string): Outcome<string> {
  const problem = findPathProblem(path);
  if (problem !== null) return fail("bad_input", `The path cannot be used: ${problem}. ${NOTHING_DONE}`);
  return succeed(path.split("/").map(respellSegment).join("/"));
}

/** Builds the URL of a call, without credentials in the query. Fails with `bad_input`. @param path normalised */
export function buildUrl(base: BaseUrl, path: string, query: Record<string, string>): Outcome<string> {
  const suffix = forcesJson(base) && !path.toLowerCase().endsWith(".json") ? ".json" : "";
  const kept = withoutCredentials(query);
  if (!kept.ok) return kept;
  const pairs = Object.entries(kept.value as Record<string, string>);
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
  const written = `${base.url}/${path}${suffix}`;
  const url = new URL(written + search);
  // The parser of undici must agree with us about the destination.
  if (url.origin + url.pathname !== written || url.username || url.password || url.hash) {
    return fail("bad_input", `The path cannot be used: it does not stay under the base URL. ${NOTHING_DONE}`);
  }
  return succeed(url.href);
}

function spellPlainly(address: string): string | null {
  const [, scheme, host, path] = /^(https?):\/\/([^/?#@\\\s]+)((?:\/[^?#\\\s]*)?)$/i.exec(address) ?? [];
  if (!scheme || !host || path === undefined) return null;
  const defaultPort = scheme.toLowerCase() === "https" ? /:443$/ : /:80$/;
  const origin = `${scheme}://${host.replace(defaultPort, "")}`.toLowerCase();
  return origin + path.replace(/\/$/, "");
}

function findPathProblem(path: string): string | null {
  if (path === "") return "it is empty";
  if (path.length > MAX_PATH_CHARS) return `it is longer than ${MAX_PATH_CHARS} characters`;
  if (/^[^/]*:/.test(path)) return "write it relative to the base URL, like recipients/list";
  if (path.startsWith("/")) return "write it without a leading slash, like recipients/list";
  if (/[{}]/.test(path)) return "a name in braces is not filled in yet";
  if (path.includes("?") || path.includes("#")) return "query parameters belong on the Query Params tab";
  if (!/^[A-Za-z0-9._~!$&'()*+,;=:%/-]+$/.test(path)) {
    return "it has characters that must be percent-encoded, such as spaces, @ or \\";
  }
  for (const segment of path.split("/")) {
    const problem = findSegmentProblem(segment);
    if (problem !== null) return problem;
  }
  return null;
}

function findSegmentProblem(segment: string): string | null {
  if (segment === "") return "it has an empty segment (a doubled or closing slash)";
  const decoded = decodePercent(segment);
  if (decoded === null) return "its percent-encoding is broken";
  if (/%[0-9a-f]{2}/i.test(decoded)) return "it is percent-encoded twice";
  const plain = decoded.normalize("NFKC");
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(plain)) return "it has control characters";
  if (/[/\\?#]/.test(plain)) return "it has an encoded slash, backslash, ? or #";
  if (plain.includes("..") || /^\.(?:;|$)/.test(plain)) return "it has .. or a segment of a single dot";
  if (plain.split(/[&;]/).some((part) => isCredentialName(part.split(/[=:]/)[0] ?? ""))) {
    return "it has parameters; they belong on the Query Params tab";
  }
  return null;
}

function respellSegment(segment: string): string {
  return encodePercent(decodePercent(segment) ?? segment).replace(READABLE, (code) =>
    decodeURIComponent(code),
  );
}
