/** Returns the most bytes that a base64 text of this length can hold. */
export function countBase64Bytes(length: number): number {
  return Math.ceil(length / 4) * 3;
}

/**
 * Decodes base64 (RFC 4648 section 4) on the server, or returns null for anything else. Strict, because the same text is
 * sent unchanged and the provider's decoder may be more lenient: no `data:` prefix (the provider does not document one),
 * no line breaks, no URL alphabet, full padding and no bits left over.
 */
export function decodeBase64Strict(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return text !== "" && bytes.toString("base64") === text ? new Uint8Array(bytes) : null;
}
