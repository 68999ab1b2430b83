import { redirect } from "@remix-run/node";
import { createSignedCookie } from "~/platform/http/session.server";
import type { Failure } from "~/platform/outcome";

const SHOWN_WITHIN_SECONDS = 60;

/** Ends a failed sign-in on the home page, which shows 'Auth Error' and the reason once. */
export async function redirectWithAuthError(failure: Failure, headers = new Headers()): Promise<Response> {
  headers.append("Set-Cookie", await openCookie().serialize(failure.message));
  return redirect("/", { headers });
}

/** The reason for 'Auth Error' on this page, and the `Set-Cookie` that removes it; both null when no sign-in failed. */
export async function parseAuthError(
  request: Request,
): Promise<{ message: string | null; setCookie: string | null }> {
  const cookie = openCookie();
  const message: unknown = await cookie.parse(request.headers.get("Cookie"));
  if (typeof message !== "string" || message === "") return { message: null, setCookie: null };
  return { message, setCookie: await cookie.serialize("", { maxAge: 0 }) };
}

// Not in the session: a failed sign-in does not change an earlier session.
function openCookie() {
  return createSignedCookie("mailroom_auth_error", { path: "/", maxAgeSeconds: SHOWN_WITHIN_SECONDS });
}
