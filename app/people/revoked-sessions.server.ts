import { z } from "zod";
import { withDatabase } from "~/platform/database/database.server";
import { SESSION_LIFETIME_MS, type Session } from "~/platform/http/session.server";
import { log } from "~/platform/log.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { replaySpool, writeSpool } from "~/platform/spool.server";

const SPOOL_KIND = "revoked_session";

const spooled = z.object({ id: z.uuid(), revokedAt: z.number(), expiresAt: z.number() });

/** Times in milliseconds since 1970. */
type Revocation = z.infer<typeof spooled>;

/** What the database has not taken yet, as far as this process knows: the end of each session by its id. */
const waiting = new Map<string, number>();

/**
 * Ends a session, so that a copy of its cookie is worth nothing. While the database is away this process remembers it,
 * and so does the disk, for the time after. Without a database only the browser forgets the session.
 */
export async function revokeSession({ id, createdAt }: Session, now = Date.now()): Promise<void> {
  const revocation = { id, revokedAt: now, expiresAt: createdAt + SESSION_LIFETIME_MS };
  const stored = await storeRevocation(revocation);
  if (stored.ok) return;
  log.warn("session.not_revoked", { reason: stored.failure.code });
  if (stored.failure.code === "not_configured") return;
  remember(revocation, now);
  await writeSpool(SPOOL_KIND, revocation);
}

/** Whether a session was ended; while the database is away, as far as this process knows. */
export async function isSessionRevoked(id: string): Promise<boolean> {
  if (waiting.has(id)) return true;
  const found = await withDatabase((db) => db.revokedSession.findUnique({ where: { id } }));
  return found.ok && found.value !== null;
}

/** Stores what was revoked while the database was away, by this process or one before it on the same disk. */
export const replayRevocations = replaySpool(SPOOL_KIND, async (content) => {
  const revocation = spooled.parse(content);
  remember(revocation, Date.now());
  const stored = await storeRevocation(revocation);
  if (stored.ok) waiting.delete(revocation.id);
  return stored;
});

async function storeRevocation({ id, revokedAt, expiresAt }: Revocation): Promise<Outcome<null>> {
  const stored = await withDatabase(async (db) => {
    await db.revokedSession.deleteMany({ where: { expiresAt: { lt: new Date() } } });
    await db.revokedSession.upsert({
      where: { id },
      create: { id, expiresAt: new Date(expiresAt), revokedAt: new Date(revokedAt) },
      update: {},
    });
  });
  return stored.ok ? succeed(null) : stored;
}

function remember({ id, expiresAt }: Revocation, now: number): void {
  for (const [known, end] of waiting) if (end < now) waiting.delete(known);
  waiting.set(id, expiresAt);
}
