import { redirect } from "@remix-run/node";
import { clearLoginState } from "~/outside/identity/login-state.server";
import { finishSignIn, startSignIn } from "~/outside/identity/sign-in.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import {
  createSignedCookie,
  PERSON_PREFIX,
  parseSession,
  type SessionOwner,
  startSession,
} from "~/platform/http/session.server";
import { errorNameOf, log } from "~/platform/log.server";
import type { Failure } from "~/platform/outcome";
import { revokeSession } from "./revoked-sessions.server";

const SHOWN_WITHIN_SECONDS = 60;

/** Redirects to the identity provider, or to the home page with 'Auth Error' when that fails. */
export async function beginLogin(request: Request): Promise<Response> {
  const started = await startSignIn(request);
  return started.ok ? started.value : redirectWithAuthError(started.failure);
}

/**
 * Replies to the identity provider's callback. A success replaces the earlier session and returns to the requested page; a
 * failure leaves the session and shows 'Auth Error'. Both end the state of the login.
 */
export async function completeLogin(request: Request): Promise<Response> {
  const headers = new Headers({ "Set-Cookie": await clearLoginState() });
  const finished = await finishSignIn(request);
  if (!finished.ok) return redirectWithAuthError(finished.failure, headers);
  const { owner, returnTo } = finished.value;
  // A copy of the earlier cookie ends too.
  const before = await parseSession(request);
  if (before) await revokeSession(before);
  await recordSignIn(owner);
  headers.append("Set-Cookie", await startSession(owner));
  log.info("session.started");
  // With our origin: a browser reads a path like //host as another site.
  return redirect(env().appOrigin + returnTo, { headers });
}

/** Stores the person's groups and sign-in time, which limit their tokens. A failure does not stop the sign-in. */
async function recordSignIn({ subject, name, email, groups }: SessionOwner): Promise<void> {
  const id = PERSON_PREFIX + subject;
  try {
    await withDatabase(
      (db) => db.$executeRaw`
        INSERT INTO sign_ins (person_id, display_name, email, groups) VALUES (${id}, ${name ?? id}, ${email}, ${groups}::text[])
        ON CONFLICT (person_id) DO UPDATE SET
          display_name = EXCLUDED.display_name, email = EXCLUDED.email, groups = EXCLUDED.groups, signed_in_at = now()`,
    );
  } catch (error) {
    log.warn("sign_in.not_recorded", { errorName: errorNameOf(error) });
  }
}

/** Ends a failed sign-in on the home page, which shows 'Auth Error' and the reason once. */
async function redirectWithAuthError(failure: Failure, headers = new Headers()): Promise<Response> {
  headers.append("Set-Cookie", await openCookie().serialize(failure.message));
  return redirect("/", { headers });
}

/** Parses the reason for 'Auth Error' on this page, and the `Set-Cookie` that removes it; both null when no sign-in failed. */
export async function parseAuthError(request: Request) {
  const cookie = openCookie();
  const message: unknown = await cookie.parse(request.headers.get("Cookie"));
  if (typeof message !== "string" || message === "") return { message: null, setCookie: null };
  return { message, setCookie: await cookie.serialize("", { maxAge: 0 }) };
}

// Not in the session: a failed sign-in does not change an earlier session.
function openCookie() {
  return createSignedCookie("mailroom_auth_error", { path: "/", maxAgeSeconds: SHOWN_WITHIN_SECONDS });
}
