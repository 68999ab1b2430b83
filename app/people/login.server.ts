import { redirect } from "@remix-run/node";
import { clearLoginState } from "~/outside/identity/login-state.server";
import { finishSignIn, startSignIn } from "~/outside/identity/sign-in.server";
import { env } from "~/platform/env.server";
import { parseSession, startSession } from "~/platform/http/session.server";
import { log } from "~/platform/log.server";
import { redirectWithAuthError } from "./auth-error.server";
import { revokeSession } from "./revoked-sessions.server";
import { recordSignIn } from "./sign-ins.server";

/** Sends the browser to the identity provider, or to the home page with 'Auth Error' when that fails. */
export async function beginLogin(request: Request): Promise<Response> {
  const started = await startSignIn(request);
  return started.ok ? started.value : redirectWithAuthError(started.failure);
}

/**
 * Replies to the identity provider's callback: a new session in place of the earlier one and the page that was asked for, or the home page with
 * 'Auth Error' and any earlier session untouched. The state of the login ends either way.
 */
export async function completeLogin(request: Request): Promise<Response> {
  const headers = new Headers({ "Set-Cookie": await clearLoginState() });
  const finished = await finishSignIn(request);
  if (!finished.ok) return redirectWithAuthError(finished.failure, headers);
  const { owner, returnTo } = finished.value;
  // One login, one session: a copy of the cookie before it is worth nothing any more.
  const before = await parseSession(request);
  if (before) await revokeSession(before);
  await recordSignIn(owner);
  headers.append("Set-Cookie", await startSession(owner));
  log.info("session.started");
  // Our own origin in front: a path like //host would be read as another site.
  return redirect(env().appOrigin + returnTo, { headers });
}
