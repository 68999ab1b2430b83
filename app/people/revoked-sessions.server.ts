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
import { errorNameOf, log } from "~/platform/log.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { noteRequest } from "~/platform/request-id.server";
import { replaySpool, writeSpool } from "~/platform/spool.server";

const SPOOL_KIND = "revoked_session";

/** The id of a session, or of a person whose sessions all end. */
const spooled = z.object({ id: z.string(), revokedAt: z.number(), expiresAt: z.number() });

/** Times in milliseconds since 1970. */
type Revocation = z.infer<typeof spooled>;

/** A memory of this age is read again behind the back of a request. */
const REFRESH_MS = 2_000;
/** A request waits for a memory that is older than this: what another process ended counts here by then. */
const OLDEST_MS = 4_000;
/** A revocation may become visible after one that was stored later. No statement runs this long. */
const OVERLAP_MS = 60_000;
/** Kept so long after its session's end: a clock that was ahead for hours must not bring the session back. */
const KEPT_LONGER_MS = 24 * 3_600_000;

/** The sessions and people that were ended, as far as this process knows, by id. */
const revoked = new Map<string, Omit<Revocation, "id">>();
/** When what is in the database was read, by a clock that no one sets; the newest of it by the database's own. */
let readAt = Number.NEGATIVE_INFINITY;
let newest = new Date(0);
let reading: Promise<void> | undefined;

/**
 * Ends a session, so that a copy of its cookie is worth nothing: in this process at once, in others within five
 * seconds. While the database is away this process remembers it, and so does the disk, for the time after. Without a
 * database only the browser forgets the session.
 */
export function revokeSession({ id, createdAt }: Session, now = Date.now()): Promise<void> {
  return revoke({ id, revokedAt: now, expiresAt: createdAt + SESSION_LIFETIME_MS });
}

/** Ends all sessions that a person has now, as {@link revokeSession} ends one. */
export function revokeSessionsOf(personId: string, now = Date.now()): Promise<void> {
  return revoke({ id: personId, revokedAt: now, expiresAt: now + SESSION_LIFETIME_MS });
}

async function revoke(revocation: Revocation): Promise<void> {
  if (env().database.kind === "none") return;
  remember(revocation);
  const stored = await storeRevocation(revocation);
  if (stored.ok) return;
  log.warn("session.not_revoked", { failureCode: stored.failure.code });
  await writeSpool(SPOOL_KIND, revocation);
}

/**
 * True when a session was ended; while the database is away, as far as this process knows. No request costs a statement:
 * the process reads what is new every few seconds, while a person asks.
 */
export async function isSessionRevoked(
  session: Pick<Session, "id" | "subject" | "createdAt">,
): Promise<boolean> {
  if (isKnownRevoked(session) || env().database.kind === "none") return isKnownRevoked(session);
  const age = performance.now() - readAt;
  if (age > REFRESH_MS) {
    // No request may wait for it, and a rejection that no one handles ends the process.
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

function remember({ id, revokedAt, expiresAt }: Revocation): void {
  if (revokedAt >= (revoked.get(id)?.revokedAt ?? 0)) revoked.set(id, { revokedAt, expiresAt });
}

/** Stores what was revoked while the database was away, by this process or one before it on the same disk. */
export const replayRevocations = replaySpool(SPOOL_KIND, async (content) => {
  const revocation = spooled.parse(content);
  remember(revocation);
  return storeRevocation(revocation);
});

async function storeRevocation({ id, revokedAt, expiresAt }: Revocation): Promise<Outcome<null>> {
  const stored = await withDatabase(async (db) => {
    await db.revokedSession.deleteMany({
      where: { expiresAt: { lt: new Date(Date.now() - KEPT_LONGER_MS) } },
    });
    // The database's clock tells when it was stored.
    await db.$executeRaw`
      INSERT INTO revoked_sessions (id, expires_at, revoked_at)
      VALUES (${id}, ${new Date(expiresAt)}, ${new Date(revokedAt)})
      ON CONFLICT (id) DO UPDATE
        SET expires_at = EXCLUDED.expires_at, revoked_at = EXCLUDED.revoked_at, stored_at = DEFAULT
        WHERE revoked_sessions.revoked_at < EXCLUDED.revoked_at`;
  });
  return stored.ok ? succeed(null) : stored;
}

/** Takes what the database has got since it was last asked. */
async function loadRevocations(): Promise<void> {
  const askedAt = performance.now();
  const found = await withDatabase((db) =>
    db.revokedSession.findMany({ where: { storedAt: { gt: new Date(newest.getTime() - OVERLAP_MS) } } }),
  );
  if (!found.ok) return;
  readAt = askedAt;
  for (const { id, revokedAt, expiresAt, storedAt } of found.value) {
    remember({ id, revokedAt: revokedAt.getTime(), expiresAt: expiresAt.getTime() });
    if (storedAt > newest) newest = storedAt;
  }
  const before = Date.now() - KEPT_LONGER_MS;
  for (const [id, { expiresAt }] of revoked) if (expiresAt < before) revoked.delete(id);
}

/** Ends the request's session, here and in the browser. Returns the `Set-Cookie`. */
export async function signOut(request: Request, now = Date.now()): Promise<string> {
  const session = await parseSession(request, now);
  if (session) {
    noteRequest({ actorId: PERSON_PREFIX + session.subject });
    await revokeSession(session, now);
  }
  return clearSession();
}
