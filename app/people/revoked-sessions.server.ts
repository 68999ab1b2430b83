import { z } from "zod";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import {
  clearSession,
  PERSON_PREFIX,
  parseSession,
  SESSION_LIFETIME_MS,
  type Session,
} from "~/platform/http/session.server";
import { errorNameOf, log, noteRequest } from "~/platform/log.server";
import type { Outcome } from "~/platform/outcome";
import { replaySpool, writeSpool } from "~/platform/spool.server";

const SPOOL_KIND = "revoked_session";

/** An ended session, or a person all of whose sessions ended. */
const spooled = z.object({ id: z.string(), revokedAt: z.number(), expiresAt: z.number() });

/** Times in milliseconds since 1970. */
type Revocation = z.infer<typeof spooled>;

/** Age after which the cache is refreshed in the background. */
const REFRESH_MS = 2_000;
/** Age after which a request waits for the refresh, so that revocations of other processes take effect. */
const OLDEST_MS = 4_000;
/** A revocation can become visible after one stored later, by less than this. */
const OVERLAP_MS = 60_000;
/** Kept for this long after the session's end: a clock that was ahead for hours must not restore the session. */
const KEPT_LONGER_MS = 24 * 3_600_000;

/** Cache of the revocations that this process knows, by id. */
const revoked = new Map<string, Omit<Revocation, "id">>();
/** Time of the last read, by a monotonic clock; `newest` is by the database's clock. */
let readAt = Number.NEGATIVE_INFINITY;
let newest = new Date(0);
let reading: Promise<void> | undefined;

/**
 * Revokes a session, so that a copy of its cookie is refused: at once in this process, within 5 s in others. While the
 * database is down the spool keeps the revocation. Without a database only the browser forgets the session.
 */
export function revokeSession({ id, createdAt }: Session, now = Date.now()): Promise<void> {
  return revoke({ id, revokedAt: now, expiresAt: createdAt + SESSION_LIFETIME_MS });
}

/** Revokes all sessions that a person has now, as {@link revokeSession} does. */
export function revokeSessionsOf(personId: string, now = Date.now()): Promise<void> {
  return revoke({ id: personId, revokedAt: now, expiresAt: now + SESSION_LIFETIME_MS });
}

async function revoke(revocation: Revocation): Promise<void> {
  if (env().database.kind === "none") return;
  cacheRevocation(revocation);
  const stored = await storeRevocation(revocation);
  if (stored.ok) return;
  log.warn("session.not_revoked", { failureCode: stored.failure.code });
  await writeSpool(SPOOL_KIND, revocation);
}

/** True when a session was revoked, as far as this process knows: a cache, refreshed every few seconds, saves a statement per request. */
export async function isSessionRevoked(session: Pick<Session, "id" | "subject" | "createdAt">) {
  if (isKnownRevoked(session) || env().database.kind === "none") return isKnownRevoked(session);
  const age = performance.now() - readAt;
  if (age > REFRESH_MS) {
    // Often not awaited: an unhandled rejection would end the process.
    reading ??= loadRevocations()
      .catch((error: unknown) => log.warn("session.revocations_not_read", { errorName: errorNameOf(error) }))
      .finally(() => {
        reading = undefined;
      });
    if (age > OLDEST_MS) await reading;
  }
  return isKnownRevoked(session);
}

function isKnownRevoked({ id, subject, createdAt }: Pick<Session, "id" | "subject" | "createdAt">): boolean {
  const person = revoked.get(PERSON_PREFIX + subject);
  return revoked.has(id) || (person !== undefined && createdAt <= person.revokedAt);
}

function cacheRevocation({ id, revokedAt, expiresAt }: Revocation): void {
  if (revokedAt >= (revoked.get(id)?.revokedAt ?? 0)) revoked.set(id, { revokedAt, expiresAt });
}

/** Stores the revocations in the spool, also those of an earlier process on this disk. */
export const replayRevocations = replaySpool(SPOOL_KIND, async (content) => {
  const revocation = spooled.parse(content);
  cacheRevocation(revocation);
  return storeRevocation(revocation);
});

function storeRevocation({ id, revokedAt, expiresAt }: Revocation): Promise<Outcome<null>> {
  return withDatabase(async (db) => {
    await db.revokedSession.deleteMany({
      where: { expiresAt: { lt: new Date(Date.now() - KEPT_LONGER_MS) } },
    });
    // `stored_at` is by the database's clock.
    await db.$executeRaw`
      INSERT INTO revoked_sessions (id, expires_at, revoked_at)
      VALUES (${id}, ${new Date(expiresAt)}, ${new Date(revokedAt)})
      ON CONFLICT (id) DO UPDATE
        SET expires_at = EXCLUDED.expires_at, revoked_at = EXCLUDED.revoked_at, stored_at = DEFAULT
        WHERE revoked_sessions.revoked_at < EXCLUDED.revoked_at`;
    return null;
  });
}

/** Reads the revocations stored since the last read. */
async function loadRevocations(): Promise<void> {
  const startedAt = performance.now();
  const found = await withDatabase((db) =>
    db.revokedSession.findMany({ where: { storedAt: { gt: new Date(newest.getTime() - OVERLAP_MS) } } }),
  );
  if (!found.ok) return;
  readAt = startedAt;
  for (const { id, revokedAt, expiresAt, storedAt } of found.value) {
    cacheRevocation({ id, revokedAt: revokedAt.getTime(), expiresAt: expiresAt.getTime() });
    if (storedAt > newest) newest = storedAt;
  }
  const before = Date.now() - KEPT_LONGER_MS;
  for (const [id, { expiresAt }] of revoked) if (expiresAt < before) revoked.delete(id);
}

/** Revokes the request's session. Returns the `Set-Cookie` that removes it from the browser. */
export async function signOut(request: Request, now = Date.now()): Promise<string> {
  const session = await parseSession(request, now);
  if (session) {
    noteRequest({ actorId: PERSON_PREFIX + session.subject });
    await revokeSession(session, now);
  }
  return clearSession();
}
