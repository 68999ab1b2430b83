/** The encodings in which a provider, a log line or a page could leak a key, by name. */
export function listKeySpellings(key: string): Record<string, string> {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return {
    raw: key,
    base64: base64(key),
    "base64 without padding": base64(key).replace(/=+$/, ""),
    "base64 of key:": base64(`${key}:`),
    base64url: Buffer.from(`${key}:`).toString("base64url"),
    "URL-encoded": encodeURIComponent(key),
    "form-encoded": new URLSearchParams({ k: key }).toString().slice(2),
    "JSON-escaped": JSON.stringify(key).slice(1, -1),
    "JSON-escaped as PHP does": JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/"),
    "URL-encoded base64": encodeURIComponent(base64(`${key}:`)),
    hex: Buffer.from(key).toString("hex"),
    "upper-case hex": Buffer.from(key).toString("hex").toUpperCase(),
    "percent-encoded throughout": Buffer.from(key).toString("hex").replace(/../g, "%$&"),
  };
}
