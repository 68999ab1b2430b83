import { createHash } from "node:crypto";
import { env } from "~/platform/env.server";

/**
 * Provider keys of this server. A piece sent with one key is never repeated or searched for with another, which may be of
 * another account. Records name a key by its fingerprint.
 */

const FINGERPRINT_CHARS = 16;

/** Computes a key's fingerprint, which does not reveal the key. */
export function fingerprintKey(key: string): string {
  return createHash("sha256").update(`provider key\n${key}`).digest("hex").slice(0, FINGERPRINT_CHARS);
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
