export interface Failure {
  code: FailureCode;
  message: string;
  details?: string;
  /** Set for `rate_limited` and `overloaded`. */
  retryAfterSeconds?: number;
}

export type Failed = { ok: false; failure: Failure };

/** A value, or a failure that says what was and was not done. */
export type Outcome<T> = { ok: true; value: T } | Failed;

/** The value that a function loads. */
export type ValueOf<Load extends (...input: never[]) => Promise<Outcome<unknown>>> = Extract<
  Awaited<ReturnType<Load>>,
  { ok: true }
>["value"];

export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function fail(code: FailureCode, message: string, details?: string): Failed {
  return { ok: false, failure: details === undefined ? { code, message } : { code, message, details } };
}

export function isFailed(value: unknown): value is Failed {
  return typeof value === "object" && value !== null && "failure" in value && "ok" in value && !value.ok;
}

/** End of every message of a failure before anything happened. */
export const NOTHING_DONE = "Nothing was sent and nothing was charged.";

/** Codes of failures, for pages and `/api/*` alike, with their HTTP status and their meaning for a program. */
export const FAILURE_CODES = {
  bad_input: { status: 400, words: "Something in the request is wrong; the sentence names it." },
  signed_out: { status: 401, words: "No token, or one that is unknown, expired or revoked." },
  insufficient_credits: {
    status: 402,
    words: "Too few credits; for a piece, `shortfall` says how many are missing.",
  },
  forbidden: {
    status: 403,
    words: "Only admins may do this or act for another user, or the address is not allowed.",
  },
  missing_scope: { status: 403, words: "The token or person does not have the scope that `details` names." },
  needs_approval: {
    status: 403,
    words: "It costs more than one person may send alone. Another person can approve it as a list.",
  },
  limit_reached: { status: 403, words: "A daily limit of credits would be exceeded." },
  not_found: { status: 404, words: "There is no such thing." },
  method_not_allowed: { status: 405, words: "The address takes other methods." },
  in_progress: { status: 409, words: "The same piece is being worked on right now." },
  duplicate: {
    status: 409,
    words: "The same content was sent to the same address before; `piece_id` names it.",
  },
  too_large: { status: 413, words: "The body is too large." },
  unsupported_media_type: { status: 415, words: "The body is not JSON." },
  key_reused: { status: 422, words: "The key was used for another request." },
  reference_used: {
    status: 409,
    words: "Another live piece of yours has this `reference`; `piece_id` names it.",
  },
  too_complex: { status: 422, words: "It takes too long to work through." },
  rate_limited: { status: 429, words: "Too many requests; `Retry-After` says how long to wait." },
  overloaded: { status: 503, words: "Too much work right now; `Retry-After` says how long to wait." },
  not_configured: { status: 503, words: "This part of Mailroom is not configured." },
  provider_refused: { status: 409, words: "The provider refused it. Nothing was charged." },
  provider_unreachable: { status: 502, words: "The provider cannot be reached." },
  provider_timeout: { status: 504, words: "The provider did not answer in time." },
  database_unavailable: {
    status: 503,
    words: "The database is not available. Live mail is not sent until it is back.",
  },
  internal_error: { status: 500, words: "Something went wrong on our side." },
} as const;

export type FailureCode = keyof typeof FAILURE_CODES;
