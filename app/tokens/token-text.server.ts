import { createHash, randomInt } from "node:crypto";

const PREFIX = "mailroom_";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** 238 bits. */
const SECRET_CHARS = 40;
const CHECKSUM_CHARS = 6;
const ENDING_CHARS = 4;
const FORM = new RegExp(`^${PREFIX}([A-Za-z0-9]{${SECRET_CHARS}})([0-9a-f]{${CHECKSUM_CHARS}})$`);

/** Makes a token: a prefix that scanners for leaked secrets find, random characters and a checksum. */
export function makeTokenText(): string {
  const secret = Array.from({ length: SECRET_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return PREFIX + secret + checksum(secret);
}

/** True when a text has the form of a token. A mistyped one is refused without a query. */
export function isTokenText(text: string): boolean {
  const [, secret, sum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** Hashes a token for storage. A plain hash is enough for 238 random bits. */
export function hashToken(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the last characters, by which the owner recognizes a token. */
export function endingOf(text: string): string {
  return text.slice(-ENDING_CHARS);
}

function checksum(secret: string): string {
  return createHash("sha256").update(PREFIX).update(secret).digest("hex").slice(0, CHECKSUM_CHARS);
}
