import { redirectDocument } from "@remix-run/node";
import { findRefusal } from "~/outside/identity/profile.server";
import { env } from "~/platform/env.server";
import { replyFailure } from "~/platform/http/replies.server";
import { parseSession } from "~/platform/http/session.server";
import { API_SIGNED_OUT } from "./messages";
import { isSessionRevoked } from "./revoked-sessions.server";

/** The signed-in person who makes the request. */
export interface Viewer {
  /** `auth-` and the identity subject. */
  id: string;
  subject: string;
  /** The name the identity provider gave, or 'You'. */
  displayName: string;
  email: string | null;
  picture: string | null;
  sessionId: string;
}

/**
 * The signed-in viewer, or null: no session, an ended or revoked one, or someone whom the allow-lists no
 * longer name. While the database is down a valid session counts that was not ended here.
 */
export async function findViewer(request: Request, now = Date.now()): Promise<Viewer | null> {
  const session = await parseSession(request, now);
  if (!session) return null;
  const { identity } = env();
  if (identity && findRefusal(identity, session)) return null;
  if (await isSessionRevoked(session.id)) return null;
  const { subject, name, email, picture, id } = session;
  return { id: `auth-${subject}`, subject, displayName: name ?? "You", email, picture, sessionId: id };
}

/**
 * The viewer of a resource route.
 * @throws Response 401 as JSON when nobody is signed in
 */
export async function requireViewer(request: Request): Promise<Viewer> {
  const viewer = await findViewer(request);
  if (viewer) return viewer;
  throw replyFailure({ code: "signed_out", message: API_SIGNED_OUT });
}

/**
 * The viewer of a page.
 * @throws Response a redirect to the login, which leads back to the page
 */
export async function requirePageViewer(request: Request): Promise<Viewer> {
  const viewer = await findViewer(request);
  if (viewer) return viewer;
  const { pathname, search } = new URL(request.url);
  throw redirectDocument(`/api/auth/login?${new URLSearchParams({ returnTo: pathname + search })}`);
}
