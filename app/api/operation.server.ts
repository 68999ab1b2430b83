import type { z } from "zod";
import type { RequiredScope } from "~/platform/http/token-scopes";
import type { FailureCode } from "~/platform/outcome";

/** A call of the API, with the schemas that its route parses by. */
export interface Operation {
  id: string;
  method: "get" | "post" | "delete";
  /** The path in OpenAPI's form: `/api/pieces/{id}`. */
  path: string;
  group: "Pieces" | "Proxy" | "Mail" | "Stored responses" | "Credits" | "People" | "Webhooks";
  summary: string;
  description?: string;
  scope: RequiredScope;
  query?: z.ZodType;
  body?: z.ZodType;
  example?: unknown;
  /** Meaning and body of each answer, by status. */
  answers: Record<number, { description: string; schema: z.ZodType; example?: unknown }>;
  /** Besides those of every call. */
  failures: readonly FailureCode[];
  /** The header `Idempotency-Key` counts. */
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

/** The failures of a call, those of every call included. */
export function listFailures({ body, failures }: Operation): FailureCode[] {
  const bodily: FailureCode[] = body ? ["bad_input", "too_large", "unsupported_media_type"] : [];
  const always: FailureCode[] = ["signed_out", "missing_scope", "rate_limited", "overloaded"];
  const stored: FailureCode[] = ["not_configured", "database_unavailable"];
  return [...new Set([...bodily, ...failures, ...always, ...stored])];
}
