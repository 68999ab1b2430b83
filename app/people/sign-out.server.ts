import { withDatabase } from "~/platform/database/database.server";
import { clearSession, parseSession, SESSION_LIFETIME_MS } from "~/platform/http/session.server";
import { log } from "~/platform/log.server";

/**
 * Ends the request's session: revoked on the server when a database is there, so that a copy of the cookie is
 * worth nothing, and forgotten by the browser in any case. Returns the `Set-Cookie`.
 */
export async function signOut(request: Request, now = Date.now()): Promise<string> {
  const session = await parseSession(request, now);
  if (session) {
    const expiresAt = new Date(session.createdAt + SESSION_LIFETIME_MS);
    const revoked = await withDatabase(async (db) => {
      await db.revokedSession.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
      await db.revokedSession.upsert({
        where: { id: session.id },
        create: { id: session.id, expiresAt, revokedAt: new Date(now) },
        update: {},
      });
    });
    if (!revoked.ok) log.warn("session.not_revoked", { reason: revoked.failure.code });
  }
  return clearSession();
}
