import type { Failure } from "~/platform/outcome";

/** Problems that end a sign-in, with the next step. The log gets their keys. Nothing repeats provider input. */
const MESSAGES = {
  not_configured:
    "Logging in is not possible yet: no identity provider is configured. Set OAUTH_ISSUER, OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET, then restart the console.",
  discovery_failed:
    "The identity provider could not be reached, so you are not logged in. Try again in a moment.",
  discovery_timeout:
    "The identity provider took too long to answer, so you are not logged in. Try again in a moment.",
  discovery_unusable:
    "The identity provider's description of itself cannot be used, so you are not logged in. Ask the administrator to check OAUTH_ISSUER.",
  issuer_mismatch:
    "The identity provider calls itself by another address than OAUTH_ISSUER, so you are not logged in. Ask the administrator to check OAUTH_ISSUER.",
  state_missing:
    "The answer to a login arrived without its mark, so you are not logged in. Choose Log in to start again.",
  state_cookie_missing:
    "This browser has no login under way: it was finished, took longer than 10 minutes, or cookies are blocked. Choose Log in to start again.",
  state_expired: "This login took longer than 10 minutes and has expired. Choose Log in to start again.",
  state_foreign:
    "The answer belongs to another login than the one this browser started last, so you are not logged in. Choose Log in to start again.",
  state_reused: "This login was already used. If you are not logged in, choose Log in to start again.",
  issuer_foreign:
    "The answer comes from another identity provider than the one asked, so you are not logged in. Choose Log in to start again.",
  access_denied:
    "The identity provider did not let you in: access was declined. Choose Log in to try again or use another account.",
  provider_failed:
    "The identity provider had a problem, so you are not logged in. Try again in a few minutes.",
  request_refused:
    "The identity provider refused this console's request, so you are not logged in. Ask the administrator to check the OAUTH settings.",
  code_missing:
    "The answer to a login arrived without its code, so you are not logged in. Choose Log in to start again.",
  code_refused: "The login code was already used or has expired. Choose Log in to start again.",
  token_failed:
    "The identity provider did not complete the login, so you are not logged in. Try again; if it stays so, ask the administrator to check the OAUTH settings.",
  token_timeout:
    "The identity provider took too long to complete the login, so you are not logged in. Try again in a moment.",
  userinfo_failed:
    "The identity provider did not say who you are, so you are not logged in. Try again; if it stays so, ask the administrator.",
  userinfo_timeout:
    "The identity provider took too long to say who you are, so you are not logged in. Try again in a moment.",
  auth_time_missing:
    "The identity provider did not say when you signed in, so nothing was confirmed. Ask the administrator to set FRESH_SIGN_IN_MINUTES=0.",
  auth_time_old:
    "The identity provider did not ask you to sign in again, so nothing was confirmed. Log out there, then try again.",
  email_unverified:
    "Only people with a verified e-mail address may use this console, and yours is not verified. Verify it at the identity provider, then log in again.",
  not_allowed:
    "Your account is not on this console's list of allowed people. Ask the administrator to add you, or log in with another account.",
  unexpected:
    "The login failed for a reason we did not expect, and you are not logged in. Choose Log in to start again.",
} as const;

export type SignInProblem = keyof typeof MESSAGES;

/** All others are `provider_unreachable`. */
const CODES: Partial<Record<SignInProblem, Failure["code"]>> = {
  not_configured: "not_configured",
  discovery_timeout: "provider_timeout",
  state_missing: "bad_input",
  state_cookie_missing: "bad_input",
  state_expired: "bad_input",
  state_foreign: "bad_input",
  state_reused: "bad_input",
  issuer_foreign: "bad_input",
  access_denied: "forbidden",
  code_missing: "bad_input",
  code_refused: "bad_input",
  token_timeout: "provider_timeout",
  userinfo_timeout: "provider_timeout",
  email_unverified: "forbidden",
  not_allowed: "forbidden",
};

export class SignInError extends Error {
  override name = "SignInError";

  constructor(readonly problem: SignInProblem) {
    super(problem);
  }

  get failure(): Failure {
    return { code: CODES[this.problem] ?? "provider_unreachable", message: MESSAGES[this.problem] };
  }
}
