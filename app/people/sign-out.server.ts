import { clearSession, parseSession } from "~/platform/http/session.server";
import { revokeSession } from "./revoked-sessions.server";

/** Ends the request's session, here and in the browser. Returns the `Set-Cookie`. */
export async function signOut(request: Request, now = Date.now()): Promise<string> {
  const session = await parseSession(request, now);
  if (session) await revokeSession(session, now);
  return clearSession();
}
