import { env } from "~/platform/env.server";
import { sha256 } from "~/platform/hash.server";

/**
 * Provider keys of this server. A piece sent with one key is never repeated or searched for with another, which may be of
 * another account. Records name a key by its fingerprint.
 */

const FINGERPRINT_CHARS = 16;

export function fingerprintKey(key: string): string {
  return sha256(`provider key\n${key}`).slice(0, FINGERPRINT_CHARS);
}

/** Lists all keys of this server, the current one first. None may be shown. */
export function listKeys(): string[] {
  const { providerKey, retiredProviderKeys } = env();
  return providerKey === null ? [] : [providerKey, ...retiredProviderKeys];
}

/** Returns the fingerprint of the current key; null without one. */
export function currentFingerprint(): string | null {
  const [key] = listKeys();
  return key === undefined ? null : fingerprintKey(key);
}

/** Finds the key of a fingerprint, or the current key when it is null; null when this server does not have it. */
export function findKey(fingerprint: string | null): string | null {
  const keys = listKeys();
  return (fingerprint === null ? keys[0] : keys.find((key) => fingerprintKey(key) === fingerprint)) ?? null;
}

/** Shown in place of a secret. */
export const MASK = "[hidden]";

/** Shorter base64 texts are not searched for, because they occur by chance. */
const MIN_NEEDLE_CHARS = 6;

/** Any key as `api_key=…`, `"api_key":"…"` and in escaped and URL-encoded spellings. */
const NAMED_KEY = /(api[-_]?key(?:\\*"\s*:\s*\\*"|=|%3D))([^&\s"'\\<>]{1,512})/gi;

/** Spellings of secrets, and a search for any of them. */
const known = new Map<string, { spellings: string[]; any: RegExp }>();
const MOST_KNOWN = 50;

/** Masks the secret in every spelling in which it may be returned, and any value named `api_key`. JSON stays valid. */
export function maskSecret(text: string, secret: string): string {
  const { spellings, any } = findSpellings(secret);
  let masked = text;
  // A single search finds nothing in most texts.
  if (any.test(text)) {
    for (const spelling of spellings) masked = masked.replaceAll(spelling, MASK);
  }
  return masked.replace(NAMED_KEY, `$1${MASK}`);
}

/** Masks the provider keys. Every text that leaves the server or is stored goes through it. */
export function maskKey(text: string): string {
  return listKeys().reduce(maskSecret, text);
}

export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [maskKey(name), maskKey(value)]));
}

function findSpellings(secret: string) {
  const found = known.get(secret);
  if (found) return found;
  const spellings = listSpellings(secret);
  const any = new RegExp(spellings.map((text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")).join("|"));
  if (known.size < MOST_KNOWN) known.set(secret, { spellings, any });
  return { spellings, any };
}

/** Lists spellings, longest first, so that `base64("key:")` is masked before its common part with `base64("key")`. */
function listSpellings(secret: string): string[] {
  const direct = [
    secret,
    encodeURIComponent(secret),
    encodeStrictly(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    escapeHtml(secret),
    mapBytes(secret, (hex) => `%${hex}`),
    mapBytes(secret, (hex) => hex),
    [...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ...[secret, `${secret}:`]
      .map((text) => Buffer.from(text).toString("base64"))
      .flatMap((text) => [text, text.replace(/=+$/, "")]),
    ...listBase64Cores(secret),
  ];
  const spellings = direct
    .flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")])
    .flatMap((text) => [text, encodeURIComponent(text)])
    .flatMap((text) => [text, ...listJsonEscapes(text)])
    // JSON text inside JSON text, as a provider quotes a request in its error.
    .flatMap((text) => [text, ...listJsonEscapes(text)])
    .flatMap((text) => [text, ...listHexCases(text)]);
  return [...new Set(spellings)].filter((text) => text !== "").sort((a, b) => b.length - a.length);
}

/** Lists the JSON escapes of a text, with plain slashes and with PHP's `\/`. */
function listJsonEscapes(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  return [escaped, escaped.replaceAll("/", "\\/")];
}

/** Lists the parts of base64 texts that do not depend on the bytes around the secret. */
function listBase64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2]
    .map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes])
        .toString("base64")
        .replace(/=+$/, "");
      const shared = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1;
      return text.slice(before === 0 ? 0 : before + 1, shared);
    })
    .filter((core) => core.length >= MIN_NEEDLE_CHARS);
}

function listHexCases(text: string): string[] {
  const cased = (change: (hex: string) => string) =>
    text
      .replace(/%[0-9a-f]{2}/gi, (percent) => change(percent))
      .replace(/(\\u)([0-9a-f]{4})/gi, (_, lead: string, hex: string) => lead + change(hex));
  const bare = /^(?:[0-9a-f]{2})+$/i.test(text) ? [text.toUpperCase(), text.toLowerCase()] : [];
  return [cased((hex) => hex.toUpperCase()), cased((hex) => hex.toLowerCase()), ...bare];
}

function mapBytes(text: string, spell: (hex: string) => string): string {
  return [...Buffer.from(text)].map((byte) => spell(byte.toString(16).padStart(2, "0"))).join("");
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
