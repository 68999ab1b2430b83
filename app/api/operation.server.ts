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
