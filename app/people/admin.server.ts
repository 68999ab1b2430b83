import { env } from "~/platform/env.server";
import { noteRequest } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatAdminsOnly } from "./messages";
import type { Viewer } from "./viewer.server";

const SIGN_IN_AGAIN =
  "Your sign-in is too long ago for this, so nothing was changed. Sign in again (/api/auth/login?fresh=1), then repeat it.";
const ONLY_FOR_YOURSELF =
  "You may act for yourself only. Nothing was sent and nothing was charged. Choose yourself as the user, or ask an admin.";

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
  return isAdmin(viewer) ? succeed(null) : refuse(formatAdminsOnly(act));
}

function refuse(message: string): Outcome<never> {
  noteRequest({ refused: true });
  return fail("forbidden", message);
}
