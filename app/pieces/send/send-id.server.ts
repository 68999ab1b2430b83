import { createHash } from "node:crypto";
import type { Db } from "~/platform/database/client";

const ID_LENGTH = 32;
/** Prefixes of the keys that Mailroom makes; callers cannot use them. */
export const OWN_KEYS = {
  row: "list:",
  tested: "tested:",
  lost: "lost-",
  unexpected: "unexpected-",
} as const;

/** True when a key has a prefix of {@link OWN_KEYS}. */
export function isOwnKey(key: string): boolean {
  return Object.values(OWN_KEYS).some((prefix) => key.startsWith(prefix));
}

/**
 * Derives the id of a send from the person's key; tag and provider's idempotency key follow from it. The provider
 * thus recognises a repeat after a failover that lost the row.
 * @param freed how often the key was freed
 */
export function deriveSendId(actorId: string, idempotencyKey: string, freed: number): string {
  const parts = JSON.stringify([actorId, idempotencyKey, freed]);
  return createHash("sha256").update(parts).digest("hex").slice(0, ID_LENGTH);
}

/** Counts how often a key was freed, for a key that no send has now. */
export async function countFreed(db: Db, actorId: string, idempotencyKey: string): Promise<number> {
  for (let freed = 0; ; freed++) {
    const id = deriveSendId(actorId, idempotencyKey, freed);
    const rows = await db.$queryRaw<{ id: string }[]>`SELECT id FROM sends WHERE id = ${id}`;
    if (rows.length === 0) return freed;
  }
}
