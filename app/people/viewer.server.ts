import { redirectDocument } from "@remix-run/node";
import { findRefusal } from "~/outside/identity/profile.server";
import { env } from "~/platform/env.server";
import { replyFailure, requireValue } from "~/platform/http/replies.server";
import { PERSON_PREFIX, parseSession, type Session } from "~/platform/http/session.server";
import { parseBearer } from "~/platform/http/token-access.server";
import { type RequiredScope, SCOPES, type Scope } from "~/platform/http/token-scopes";
import { type Outcome, succeed } from "~/platform/outcome";
import { noteRequest } from "~/platform/request-id.server";
import { checkScope, checkToken } from "~/tokens/check-token.server";
import type { TokenRecord } from "~/tokens/token-record.server";
import { toActorId } from "./actor";
import { API_SIGNED_OUT, NO_TOKENS_HERE, TOKEN_REFUSED } from "./messages";
import { isSessionRevoked } from "./revoked-sessions.server";

/** A token with which a program calls. */
type TokenInUse = Pick<TokenRecord, "name" | "dailyCredits">;

/** The signed-in person who makes the request, or in whose name a program makes it. */
export interface Viewer {
  /** `auth-` and the identity subject. */
  id: string;
  subject: string;
  /** The name the identity provider gave, or 'You'; with a token "Ada via nightly-job". */
  displayName: string;
  email: string | null;
  emailVerified: boolean;
  picture: string | null;
  /** Who acts, for the books: the id, and the token's name where a program does it. See `actor.ts`. */
  actorId: string;
  /** When the person proved who they are; null for a token, and where it is not known. */
  signedInAt: number | null;
  /** Scopes of the person; with a token those that the token has too. */
  scopes: readonly Scope[];
  /** With which the program calls; null for the person in front of a browser. */
  token: TokenInUse | null;
}

/**
 * The signed-in viewer, or null: no session, an ended or revoked one, or someone whom the allow-lists no
 * longer name. While the database is down a valid session counts that was not ended here. A request with a token is the
 * token's alone: its cookies are not looked at.
 * @param scope what a token needs here; undefined: none is accepted
 * @throws Response 403 when the token does not have the scope, 503 when it cannot be looked up
 */
export async function findViewer(
  request: Request,
  scope?: RequiredScope,
  now = Date.now(),
): Promise<Viewer | null> {
  const bearer = parseBearer(request.headers);
  if (bearer !== null) return findTokenViewer(bearer, scope);
  const session = await parseSession(request, now);
  if (!session) return null;
  const { identity } = env();
  if (identity && findRefusal(identity, session)) return null;
  if (await isSessionRevoked(session)) return null;
  const { subject, name, email, emailVerified, picture, signedInAt } = session;
  const id = PERSON_PREFIX + subject;
  noteRequest({ actorId: id, caller: `person ${subject}` });
  const displayName = name ?? "You";
  const scopes = findScopes(session);
  const shown = { id, subject, displayName, email, emailVerified, picture };
  return { ...shown, actorId: id, signedInAt, scopes, token: null };
}

/** Checks a person's scope for a route. {@link findViewer} checks the scopes of tokens. */
export async function checkPerson(request: Request, scope: RequiredScope): Promise<Outcome<null>> {
  if (parseBearer(request.headers) !== null) return succeed(null);
  const viewer = await findViewer(request);
  return viewer ? checkScope(viewer, scope) : succeed(null);
}

/**
 * The viewer of a resource route.
 * @param scope what a token needs here, `context.scope` of the route; undefined: none is accepted
 * @throws Response 401 as JSON when no one is signed in
 */
export async function requireViewer(request: Request, scope?: RequiredScope): Promise<Viewer> {
  const viewer = await findViewer(request, scope);
  if (viewer) return viewer;
  if (parseBearer(request.headers) === null) {
    throw replyFailure({ code: "signed_out", message: API_SIGNED_OUT }, { "WWW-Authenticate": "Bearer" });
  }
  const message = scope === undefined ? NO_TOKENS_HERE : TOKEN_REFUSED;
  throw replyFailure({ code: "signed_out", message }, { "WWW-Authenticate": 'Bearer error="invalid_token"' });
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

/**
 * The viewer in whose name a program acts, or null: the address takes no token, this one is unknown or has ended, or the
 * allow-lists do not name its owner any more.
 * @param scope what the token needs; undefined: none is accepted
 * @throws Response 403 when the token may not do that, 503 when it cannot be looked up
 */
async function findTokenViewer(text: string, scope: RequiredScope | undefined): Promise<Viewer | null> {
  if (scope === undefined || env().database.kind === "none") return null;
  const token = requireValue(await checkToken(text));
  if (token === null) return null;
  noteRequest({ caller: `token ${token.id}` });
  if (!isOwnerAllowed(token)) return null;
  const { userId, ownerName, name, dailyCredits, verifiedEmail } = token;
  const owner = { email: verifiedEmail, emailVerified: verifiedEmail !== null, groups: token.ownerGroups };
  const scopes = findScopes(owner).filter(
    (one) => one === "others" || one === "admin" || token.scopes.includes(one),
  );
  const viewer: Viewer = {
    id: userId,
    subject: userId.slice(PERSON_PREFIX.length),
    displayName: toActorId(ownerName, name),
    email: verifiedEmail,
    emailVerified: verifiedEmail !== null,
    picture: null,
    actorId: toActorId(userId, name),
    signedInAt: null,
    scopes,
    token: { name, dailyCredits },
  };
  noteRequest({ actorId: viewer.actorId });
  const allowed = checkScope(viewer, scope);
  if (allowed.ok) return viewer;
  throw replyFailure(allowed.failure, {
    "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
  });
}

function isOwnerAllowed({ verifiedEmail }: TokenRecord): boolean {
  const { identity } = env();
  const owner = { email: verifiedEmail, emailVerified: verifiedEmail !== null };
  return identity === null || findRefusal(identity, owner) === null;
}

/**
 * Scopes of a person: all for `ADMIN_EMAILS`, else those of `PEOPLE_SCOPES`. While that is absent everyone has all but
 * `admin`, and `admin` too while `ADMIN_EMAILS` is empty. Only a verified e-mail counts: anyone can claim an unverified one.
 */
function findScopes({
  email,
  emailVerified,
  groups,
}: Pick<Session, "email" | "emailVerified" | "groups">): readonly Scope[] {
  const { adminEmails, peopleScopes } = env();
  const own = emailVerified ? (email?.toLowerCase() ?? null) : null;
  if (adminEmails.includes("*") || (own !== null && adminEmails.includes(own))) return SCOPES;
  if (peopleScopes === null)
    return adminEmails.length === 0 ? SCOPES : SCOPES.filter((scope) => scope !== "admin");
  const names = new Set(["*", own, ...groups.map((group) => `group:${group}`)]);
  const given = peopleScopes.filter(({ who }) => names.has(who)).flatMap(({ scopes }) => scopes);
  return SCOPES.filter((scope) => given.includes(scope));
}
