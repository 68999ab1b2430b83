import { redirect } from "@remix-run/node";
import { clearLoginState } from "~/outside/identity/login-state.server";
import { finishSignIn, startSignIn } from "~/outside/identity/sign-in.server";
import { env } from "~/platform/env.server";
import { parseSession, startSession } from "~/platform/http/session.server";
import { log } from "~/platform/log.server";
import { redirectWithAuthError } from "./auth-error.server";
import { revokeSession } from "./revoked-sessions.server";
import { recordSignIn } from "./sign-ins.server";

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
