import { redirectDocument } from "@remix-run/node";
import { findRefusal } from "~/outside/identity/profile.server";
import { env } from "~/platform/env.server";
import { replyFailure, requireValue } from "~/platform/http/replies.server";
import { PERSON_PREFIX, parseBearer, parseSession, type Session } from "~/platform/http/session.server";
import { type RequiredScope, SCOPES, type Scope } from "~/platform/http/token-scopes";
import { noteRequest } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { checkScope, findUsableToken } from "~/tokens/check-token.server";
import type { TokenRecord } from "~/tokens/token-record.server";
import { toActorId } from "./actor";
import { SIGNED_OUT } from "./messages";
import { isSessionRevoked } from "./revoked-sessions.server";
import { NAMELESS } from "./user-option";

const API_SIGNED_OUT = "No valid token. Nothing was changed. Send `Authorization: Bearer <token>`.";
const TOKEN_REFUSED =
  "This token is unknown, expired or revoked, or its owner has not signed in for a long time. Nothing was changed. Create a new one on the Profile page.";
const NO_TOKENS_HERE =
  "This address takes no tokens. Nothing was changed. Tokens work at the addresses of the API reference.";
const SIGN_IN_AGAIN =
  "Your sign-in is too long ago for this, so nothing was changed. Sign in again (/api/auth/login?fresh=1), then repeat it.";
const ONLY_FOR_YOURSELF =
  "You may act for yourself only. Nothing was sent and nothing was charged. Choose yourself as the user, or ask an admin.";

/** The signed-in person who makes the request, or on whose behalf a program makes it. */
export interface Viewer {
  /** `auth-` and the identity subject. */
  id: string;
  subject: string;
  /** The name the identity provider gave, or 'You'; with a token "Ada via nightly-job". */
  displayName: string;
  email: string | null;
  emailVerified: boolean;
  picture: string | null;
  /** The id, with the name of the token if a program acts. See `actor.ts`. */
  actorId: string;
  /** Time of the sign-in; null: a token, or not known. */
  signedInAt: number | null;
  /** The person's scopes; with a token, those that both have. */
  scopes: readonly Scope[];
  /** The program's token; null: a person with a browser. */
  token: Pick<TokenRecord, "name" | "dailyCredits"> | null;
}

/**
 * Finds the viewer. Null without a session, after its end or revocation, or when the allow-lists no longer name the person.
 * While the database is down a valid session counts unless this process revoked it. Cookies beside a token are ignored.
 * @param scope of a route that accepts tokens; undefined: none is accepted, and the person's scope was checked before the route
 * @throws Response 403 when the token or person lacks the scope, 503 when the token cannot be looked up
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
  const person = { id, subject, displayName: name ?? NAMELESS, email, emailVerified, picture };
  const viewer = { ...person, actorId: id, signedInAt, scopes: findScopes(session), token: null };
  const allowed = scope === undefined ? null : checkScope(viewer, scope);
  if (allowed?.ok === false) throw replyFailure(allowed.failure);
  return viewer;
}

/** Checks a person's scope for a page. {@link findViewer} checks it for a route that accepts tokens. */
export async function checkPerson(request: Request, scope: RequiredScope): Promise<Outcome<null>> {
  if (parseBearer(request.headers) !== null) return succeed(null);
  const viewer = await findViewer(request);
  return viewer ? checkScope(viewer, scope) : succeed(null);
}

/**
 * Finds the viewer of a resource route.
 * @param scope `context.scope` of the route, for tokens; undefined: none is accepted
 * @throws Response 401 as JSON when no one is signed in
 */
export async function requireViewer(request: Request, scope?: RequiredScope): Promise<Viewer> {
  const viewer = await findViewer(request, scope);
  if (viewer) return viewer;
  if (parseBearer(request.headers) === null) {
    const message = request.headers.has("Sec-Fetch-Site") ? SIGNED_OUT : API_SIGNED_OUT;
    throw replyFailure({ code: "signed_out", message }, { "WWW-Authenticate": "Bearer" });
  }
  const message = scope === undefined ? NO_TOKENS_HERE : TOKEN_REFUSED;
  throw replyFailure({ code: "signed_out", message }, { "WWW-Authenticate": 'Bearer error="invalid_token"' });
}

/** Finds the viewer of a page. @throws Response a redirect to the login, which returns to the page */
export async function requirePageViewer(request: Request): Promise<Viewer> {
  const viewer = await findViewer(request);
  if (viewer) return viewer;
  const { pathname, search } = new URL(request.url);
  throw redirectDocument(`/api/auth/login?${new URLSearchParams({ returnTo: pathname + search })}`);
}

/** Finds the owner of a token; null when the route accepts none, it is unknown or ended, or its owner is no longer allowed. */
async function findTokenViewer(text: string, scope: RequiredScope | undefined): Promise<Viewer | null> {
  if (scope === undefined || env().database.kind === "none") return null;
  const token = requireValue(await findUsableToken(text));
  if (token === null) return null;
  noteRequest({ caller: `token ${token.id}` });
  const { userId, ownerName, name, dailyCredits, verifiedEmail: email } = token;
  const owner = { email, emailVerified: email !== null, groups: token.ownerGroups };
  const { identity } = env();
  if (identity && findRefusal(identity, owner)) return null;
  const scopes = findScopes(owner).filter(
    (one) => one === "others" || one === "admin" || token.scopes.includes(one),
  );
  const viewer: Viewer = {
    id: userId,
    subject: userId.slice(PERSON_PREFIX.length),
    displayName: toActorId(ownerName, name),
    email,
    emailVerified: owner.emailVerified,
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

/**
 * Finds a person's scopes: all for `ADMIN_EMAILS`, else those of `PEOPLE_SCOPES`. Without `PEOPLE_SCOPES` everyone has all
 * but `admin`, and without `ADMIN_EMAILS` also `admin`. Only a verified e-mail counts: anyone can claim an unverified one.
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
  const granted = peopleScopes.filter(({ who }) => names.has(who)).flatMap(({ scopes }) => scopes);
  return SCOPES.filter((scope) => granted.includes(scope));
}

export function isAdmin({ scopes }: Pick<Viewer, "scopes">): boolean {
  return scopes.includes("admin");
}

export function mayActFor(viewer: Pick<Viewer, "id" | "scopes">, userId: string): boolean {
  return viewer.id === userId || viewer.scopes.includes("others");
}

/** Fails with `forbidden` for a person who may not act for this user. */
export function checkActsFor(viewer: Pick<Viewer, "id" | "scopes">, userId: string): Outcome<null> {
  return mayActFor(viewer, userId) ? succeed(null) : refuse(ONLY_FOR_YOURSELF);
}

/** True when the sign-in is recent enough to show a form for tokens, webhooks or credits. */
export function isFresh({ token, signedInAt }: Pick<Viewer, "token" | "signedInAt">, times = 1): boolean {
  const { freshSignInMs } = env();
  if (freshSignInMs === 0 || token !== null) return true;
  return signedInAt !== null && Date.now() - signedInAt < freshSignInMs * times;
}

/** Fails with `forbidden` when the sign-in is too old. Accepts twice the time, so that a form can be filled in. */
export function checkFresh(viewer: Viewer): Outcome<null> {
  return isFresh(viewer, 2) ? succeed(null) : refuse(SIGN_IN_AGAIN);
}

/** Fails with `forbidden` for a person who is no admin. @param act of admins only: "adjust credits" */
export function checkAdmin(viewer: Pick<Viewer, "scopes">, act: string): Outcome<null> {
  return isAdmin(viewer)
    ? succeed(null)
    : refuse(`Only admins can ${act}. Nothing was changed. Ask one of them.`);
}

function refuse(message: string): Outcome<never> {
  noteRequest({ refused: true });
  return fail("forbidden", message);
}
