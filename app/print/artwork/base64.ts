const PAD = 0x3d;
const NONE = 0xff;
const VALUES = new Uint8Array(128).fill(NONE);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((letter, value) => {
  VALUES[letter.charCodeAt(0)] = value;
});

/** Returns the most bytes that a base64 text of this length can hold. */
export function countBase64Bytes(length: number): number {
  return Math.ceil(length / 4) * 3;
}

/**
 * Decodes base64 (RFC 4648 section 4), or returns null for anything else. Strict, because the same text is
 * sent unchanged and the provider's decoder may be more lenient: no `data:` prefix (the provider does not document one),
 * no line breaks, no URL alphabet, full padding and no bits left over. One pass, one buffer.
 */
export function decodeBase64Strict(text: string): Uint8Array | null {
  const { length } = text;
  if (length === 0 || length % 4 !== 0) return null;
  const padding = text.charCodeAt(length - 1) !== PAD ? 0 : text.charCodeAt(length - 2) !== PAD ? 1 : 2;
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const whole = padding === 0 ? length : length - 4;
  let to = 0;
  for (let at = 0; at < whole; at += 4) {
    const a = decodeDigit(text, at);
    const b = decodeDigit(text, at + 1);
    const c = decodeDigit(text, at + 2);
    const d = decodeDigit(text, at + 3);
    if ((a | b | c | d) === NONE) return null;
    bytes[to++] = (a << 2) | (b >> 4);
    bytes[to++] = (b << 4) | (c >> 2);
    bytes[to++] = (c << 6) | d;
  }
  if (padding === 0) return bytes;
  const a = decodeDigit(text, whole);
  const b = decodeDigit(text, whole + 1);
  const c = padding === 2 ? 0 : decodeDigit(text, whole + 2);
  const leftOver = padding === 2 ? b & 0x0f : c & 0x03;
  if ((a | b | c) === NONE || leftOver !== 0) return null;
  bytes[to++] = (a << 2) | (b >> 4);
  if (padding === 1) bytes[to] = (b << 4) | (c >> 2);
  return bytes;
}

/** 0 to 63, or {@link NONE}: all bits set, so an `|` with other digits keeps it. */
function decodeDigit(text: string, at: number): number {
  return VALUES[text.charCodeAt(at)] ?? NONE;
}
