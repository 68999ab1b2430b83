import { webcrypto } from "node:crypto";
import type { StrippedFile } from "../stored-response";

/** Smaller files are stored as they are. */
const MIN_FILE_BYTES = 4_096;
const MIN_FILE_CHARS = (MIN_FILE_BYTES / 3) * 4;

/**
 * Copies a value and replaces each text that is strict base64 of more than 4 KB by a `StrippedFile`. Hashes the files
 * outside the main thread.
 * @param value plain JSON of limited depth
 */
export async function stripFiles(value: unknown): Promise<unknown> {
  if (typeof value === "string") return (await stripFile(value)) ?? value;
  if (Array.isArray(value)) return Promise.all(value.map(stripFiles));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    async ([name, inner]) => [name, await stripFiles(inner)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function stripFile(text: string): Promise<StrippedFile | null> {
  if (text.length <= MIN_FILE_CHARS || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    return null;
  const file = Buffer.from(text, "base64");
  // The text could not be restored from its bytes.
  if (file.length <= MIN_FILE_BYTES || file.toString("base64") !== text) return null;
  const hash = await webcrypto.subtle.digest("SHA-256", file);
  return { elided: "base64", bytes: file.length, sha256: Buffer.from(hash).toString("hex") };
}
