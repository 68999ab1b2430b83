import type { z } from "zod";
import type { RequiredScope } from "~/platform/http/token-scopes";
import type { FailureCode } from "~/platform/outcome";

interface Answer {
  description: string;
  schema: z.ZodType;
  example?: unknown;
  mediaType?: "application/pdf";
}

/** A call of the API, with the schemas of its route. */
export interface Operation {
  id: string;
  method: "get" | "post" | "delete";
  /** OpenAPI path: `/api/pieces/{id}`. */
  path: string;
  group: "Pieces" | "Proxy" | "Mail" | "Stored responses" | "Credits" | "People" | "Webhooks";
  summary: string;
  description?: string;
  scope: RequiredScope;
  /** Example values of parameters of the path and of required ones of the query. */
  samples?: Readonly<Record<string, string>>;
  query?: z.ZodType;
  body?: z.ZodType;
  example?: unknown;
  /** Answers by status; JSON without a media type. */
  answers: Record<number, Answer>;
  /** Failures in addition to those of every call. */
  failures: readonly FailureCode[];
  /** The call uses the header `Idempotency-Key`. */
  keyed?: true;
}

/** Failures of a call whose input names something. */
export const INPUT_FAILURES: readonly FailureCode[] = ["bad_input", "not_found"];
/** Failures of a call that asks the provider. */
export const PROVIDER_FAILURES: readonly FailureCode[] = [
  "provider_refused",
  "provider_unreachable",
  "provider_timeout",
];
/** Failures of a call that may send live mail. */
export const SEND_FAILURES: readonly FailureCode[] = [
  ...INPUT_FAILURES,
  ...PROVIDER_FAILURES,
  "insufficient_credits",
  "limit_reached",
  "needs_approval",
  "duplicate",
  "in_progress",
  "key_reused",
];

/** Lists the failures of a call, including those of every call. */
export function listFailures({ body, failures }: Operation): FailureCode[] {
  const bodily: FailureCode[] = body ? ["bad_input", "too_large", "unsupported_media_type"] : [];
  const always: FailureCode[] = ["signed_out", "missing_scope", "rate_limited", "overloaded"];
  const stored: FailureCode[] = ["not_configured", "database_unavailable", "internal_error"];
  return [...new Set([...bodily, ...failures, ...always, ...stored])];
}

/** The meaning of each failure for a program. */
export const FAILURE_WORDS: Record<FailureCode, string> = {
  bad_input: "Something in the request is wrong; the sentence names it.",
  signed_out: "No token, or one that is unknown, expired or revoked.",
  insufficient_credits: "Too few credits; `shortfall` says how many are missing.",
  forbidden: "Only admins may do this, or the address is not allowed.",
  missing_scope: "The token or person does not have the scope that `details` names.",
  needs_approval: "It costs more than one person may send alone. Another person can approve it as a list.",
  limit_reached: "A daily limit of credits would be exceeded.",
  not_found: "There is no such thing.",
  method_not_allowed: "The address takes other methods.",
  in_progress: "The same piece is being worked on right now.",
  duplicate: "The same content was sent to the same address before; `piece_id` names it.",
  too_large: "The body is too large.",
  unsupported_media_type: "The body is not JSON.",
  key_reused: "The key was used for another request.",
  reference_used: "Another live piece of yours has this `reference`; `piece_id` names it.",
  too_complex: "It takes too long to work through.",
  rate_limited: "Too many requests; `Retry-After` says how long to wait.",
  overloaded: "Too much work right now; `Retry-After` says how long to wait.",
  not_configured: "This part of Mailroom is not configured.",
  provider_refused: "The provider refused it. Nothing was charged.",
  provider_unreachable: "The provider cannot be reached.",
  provider_timeout: "The provider did not answer in time.",
  database_unavailable: "The database is not available. Live mail is not sent until it is back.",
  internal_error: "Something went wrong on our side.",
};
