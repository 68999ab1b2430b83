import type { Failure } from "~/platform/outcome";

/** Problems that end a sign-in, with the reason and the next step. The log gets the keys. Nothing repeats provider input. */
const PROBLEMS = {
  not_configured: {
    code: "not_configured",
    message:
      "Logging in is not possible yet: no identity provider is configured. Set OAUTH_ISSUER, OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET, then restart the console.",
  },
  discovery_failed: {
    code: "provider_unreachable",
    message: "The identity provider could not be reached, so you are not logged in. Try again in a moment.",
  },
  discovery_timeout: {
    code: "provider_timeout",
    message:
      "The identity provider took too long to answer, so you are not logged in. Try again in a moment.",
  },
  discovery_unusable: {
    code: "provider_unreachable",
    message:
      "The identity provider's description of itself cannot be used, so you are not logged in. Ask the administrator to check OAUTH_ISSUER.",
  },
  issuer_mismatch: {
    code: "provider_unreachable",
    message:
      "The identity provider calls itself by another address than OAUTH_ISSUER, so you are not logged in. Ask the administrator to check OAUTH_ISSUER.",
  },
  state_missing: {
    code: "bad_input",
    message:
      "The answer to a login arrived without its mark, so you are not logged in. Choose Log in to start again.",
  },
  state_cookie_missing: {
    code: "bad_input",
    message:
      "This browser has no login under way: it was finished, took longer than 10 minutes, or cookies are blocked. Choose Log in to start again.",
  },
  state_expired: {
    code: "bad_input",
    message: "This login took longer than 10 minutes and has expired. Choose Log in to start again.",
  },
  state_foreign: {
    code: "bad_input",
    message:
      "The answer belongs to another login than the one this browser started last, so you are not logged in. Choose Log in to start again.",
  },
  state_reused: {
    code: "bad_input",
    message: "This login was already used. If you are not logged in, choose Log in to start again.",
  },
  issuer_foreign: {
    code: "bad_input",
    message:
      "The answer comes from another identity provider than the one asked, so you are not logged in. Choose Log in to start again.",
  },
  access_denied: {
    code: "forbidden",
    message:
      "The identity provider did not let you in: access was declined. Choose Log in to try again or use another account.",
  },
  provider_failed: {
    code: "provider_unreachable",
    message: "The identity provider had a problem, so you are not logged in. Try again in a few minutes.",
  },
  request_refused: {
    code: "provider_unreachable",
    message:
      "The identity provider refused this console's request, so you are not logged in. Ask the administrator to check the OAUTH settings.",
  },
  code_missing: {
    code: "bad_input",
    message:
      "The answer to a login arrived without its code, so you are not logged in. Choose Log in to start again.",
  },
  code_refused: {
    code: "bad_input",
    message: "The login code was already used or has expired. Choose Log in to start again.",
  },
  token_failed: {
    code: "provider_unreachable",
    message:
      "The identity provider did not complete the login, so you are not logged in. Try again; if it stays so, ask the administrator to check the OAUTH settings.",
  },
  token_timeout: {
    code: "provider_timeout",
    message:
      "The identity provider took too long to complete the login, so you are not logged in. Try again in a moment.",
  },
  userinfo_failed: {
    code: "provider_unreachable",
    message:
      "The identity provider did not say who you are, so you are not logged in. Try again; if it stays so, ask the administrator.",
  },
  userinfo_timeout: {
    code: "provider_timeout",
    message:
      "The identity provider took too long to say who you are, so you are not logged in. Try again in a moment.",
  },
  auth_time_missing: {
    code: "provider_unreachable",
    message:
      "The identity provider did not say when you signed in, so nothing was confirmed. Ask the administrator to set FRESH_SIGN_IN_MINUTES=0.",
  },
  auth_time_old: {
    code: "provider_unreachable",
    message:
      "The identity provider did not ask you to sign in again, so nothing was confirmed. Log out there, then try again.",
  },
  email_unverified: {
    code: "forbidden",
    message:
      "Only people with a verified e-mail address may use this console, and yours is not verified. Verify it at the identity provider, then log in again.",
  },
  not_allowed: {
    code: "forbidden",
    message:
      "Your account is not on this console's list of allowed people. Ask the administrator to add you, or log in with another account.",
  },
  unexpected: {
    code: "provider_unreachable",
    message:
      "The login failed for a reason we did not expect, and you are not logged in. Choose Log in to start again.",
  },
} as const satisfies Record<string, Failure>;

export type SignInProblem = keyof typeof PROBLEMS;

/** An error that ends a sign-in. */
export class SignInError extends Error {
  override name = "SignInError";
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem) {
    super(problem);
    this.problem = problem;
  }

  get failure(): Failure {
    return PROBLEMS[this.problem];
  }
}
