import { redirect } from "@remix-run/node";
import { createSignedCookie } from "~/platform/http/cookies.server";
import type { Failure } from "~/platform/outcome";

const SHOWN_WITHIN_SECONDS = 60;

/** Ends a failed sign-in on the home page, which shows 'Auth Error' and the reason once. */
export async function redirectWithAuthError(failure: Failure, headers = new Headers()): Promise<Response> {
  headers.append("Set-Cookie", await openCookie().serialize(failure.message));
  return redirect("/", { headers });
}

/**
 * What 'Auth Error' has to say on this page, and the `Set-Cookie` that keeps it from being said again; both
 * null when authentication did not fail.
 */
export async function parseAuthError(
  request: Request,
): Promise<{ message: string | null; setCookie: string | null }> {
  const cookie = openCookie();
  const message: unknown = await cookie.parse(request.headers.get("Cookie"));
  if (typeof message !== "string" || message === "") return { message: null, setCookie: null };
  return { message, setCookie: await cookie.serialize("", { maxAge: 0 }) };
}

// Not part of the session: a failed sign-in leaves an earlier session as it was, and has none of its own.
function openCookie() {
  return createSignedCookie("mailroom_auth_error", { path: "/", maxAgeSeconds: SHOWN_WITHIN_SECONDS });
}
