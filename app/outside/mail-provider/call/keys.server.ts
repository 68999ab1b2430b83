import { createHash } from "node:crypto";
import { env } from "~/platform/env.server";

/**
 * The provider keys of this server. A key may be of another account, so what was sent with one is never repeated or looked
 * for with another. In our records a key is named by its fingerprint.
 */

const FINGERPRINT_CHARS = 16;

/** Equal for equal keys; tells nothing of the key. */
export function fingerprintKey(key: string): string {
  return createHash("sha256").update(`provider key\n${key}`).digest("hex").slice(0, FINGERPRINT_CHARS);
}

/** All keys of this server, the one that sends first. None of them may be shown. */
export function listKeys(): string[] {
  const { providerKey, retiredProviderKeys } = env();
  return providerKey === null ? [] : [providerKey, ...retiredProviderKeys];
}

/** The fingerprint of the key that sends; null without one. */
export function currentFingerprint(): string | null {
  const [key] = listKeys();
  return key === undefined ? null : fingerprintKey(key);
}

/** The key of this fingerprint, null for one that this server does not have. Without a fingerprint it is the key that sends. */
export function findKey(fingerprint: string | null): string | null {
  const keys = listKeys();
  return (fingerprint === null ? keys[0] : keys.find((key) => fingerprintKey(key) === fingerprint)) ?? null;
}
