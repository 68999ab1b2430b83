import { createHash } from "node:crypto";

/** Returns the SHA-256 of a text or of bytes in hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
