import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { env } from "~/platform/env.server";

const SECRET_BYTES = 32;
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = "sealed:";

/** Makes a secret in the format of Standard Webhooks libraries. */
export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Builds the headers of a request, with a signature for each valid secret. */
export function signMessage(id: string, body: string, secrets: readonly string[], now: Date) {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
  };
}

/** Encrypts a secret for the database. Without `ENCRYPTION_SECRET` it stays plain text. */
export function sealSecret(secret: string, endpointId: string): string {
  const [key] = deriveKeys();
  if (key === undefined) return secret;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(endpointId));
  const sealed = [iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()];
  return SEALED + Buffer.concat(sealed).toString("base64");
}

/** Decrypts a secret from the database; null when no key opens it. */
export function openSecret(stored: string, endpointId: string): string | null {
  if (!stored.startsWith(SEALED)) return stored;
  for (const key of deriveKeys()) {
    const secret = openWith(key, stored, endpointId);
    if (secret !== null) return secret;
  }
  return null;
}

/** Encrypts with the first key, unless it already is, or no key opens it. */
export function resealSecret(stored: string, endpointId: string): string {
  const [key] = deriveKeys();
  if (key === undefined || openWith(key, stored, endpointId) !== null) return stored;
  const secret = openSecret(stored, endpointId);
  return secret === null ? stored : sealSecret(secret, endpointId);
}

function openWith(key: Buffer, stored: string, endpointId: string): string | null {
  const sealed = Buffer.from(stored.slice(SEALED.length), "base64");
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(endpointId))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

function deriveKeys(): Buffer[] {
  return env().encryptionSecrets.map((secret) =>
    Buffer.from(hkdfSync("sha256", secret, "", "signing secrets of webhooks", 32)),
  );
}
