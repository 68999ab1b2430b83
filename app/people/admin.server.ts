import { env } from "~/platform/env.server";
import type { Session } from "~/platform/http/session.server";
import { SCOPES, type Scope } from "~/platform/http/token-scopes";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { noteRequest } from "~/platform/request-id.server";
import { formatAdminsOnly } from "./messages";
import type { Viewer } from "./viewer.server";

const SIGN_IN_AGAIN =
  "Your sign-in is too long ago for this. Nothing was changed. Sign in again (/api/auth/login?fresh=1), then repeat it.";
const ONLY_FOR_YOURSELF =
  "You may act for yourself only. Nothing was sent and nothing was charged. Choose yourself as the user, or ask an admin.";

/**
 * Scopes of a person: all for `ADMIN_EMAILS`, else those of `PEOPLE_SCOPES`. While that is absent everyone has all but
 * `admin`, and `admin` too while `ADMIN_EMAILS` is empty. Only a verified e-mail counts: anyone can claim an unverified one.
 */
export function findScopes({
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

/** True for a person who has the scope `admin`. */
export function isAdmin({ scopes }: Pick<Viewer, "scopes">): boolean {
  return scopes.includes("admin");
}

/** True when a person may act for this user. */
export function mayActFor(viewer: Pick<Viewer, "id" | "scopes">, userId: string): boolean {
  return viewer.id === userId || viewer.scopes.includes("others");
}

/** Fails with `forbidden` for a person who may not act for this user. */
export function checkActsFor(viewer: Pick<Viewer, "id" | "scopes">, userId: string): Outcome<null> {
  if (mayActFor(viewer, userId)) return succeed(null);
  noteRequest({ refused: true });
  return fail("forbidden", ONLY_FOR_YOURSELF);
}

/** True when a person signed in recently enough to be offered a form that makes tokens, webhooks or credits. */
export function isFresh({ token, signedInAt }: Pick<Viewer, "token" | "signedInAt">, times = 1): boolean {
  const { freshSignInMs } = env();
  if (freshSignInMs === 0 || token !== null) return true;
  return signedInAt !== null && Date.now() - signedInAt < freshSignInMs * times;
}

/** Fails with `forbidden` long after the sign-in. Twice the time is accepted, so that a form can be filled in. */
export function checkFresh(viewer: Viewer): Outcome<null> {
  if (isFresh(viewer, 2)) return succeed(null);
  noteRequest({ refused: true });
  return fail("forbidden", SIGN_IN_AGAIN);
}

/** Fails with `forbidden` for anybody who is no admin. @param what only admins may do: "adjust credits" */
export function checkAdmin(viewer: Pick<Viewer, "scopes">, what: string): Outcome<null> {
  if (isAdmin(viewer)) return succeed(null);
  noteRequest({ refused: true });
  return fail("forbidden", formatAdminsOnly(what));
}
