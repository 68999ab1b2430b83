import type { z } from "zod";
import type { RequiredScope } from "~/platform/http/token-scopes";
import type { FailureCode } from "~/platform/outcome";

type Answer = readonly [description: string, schema: z.ZodType, example?: unknown];

export type Method = "GET" | "POST" | "DELETE";

/** A call of the API, with the schemas of its route. */
export interface OperationRow {
  id: string;
  /** Method and OpenAPI path: `GET /api/pieces/{id}`. */
  call: `${Method} /${string}`;
  summary: string;
  description?: string;
  scope: RequiredScope;
  /** Example values of parameters of the path and of required ones of the query. */
  samples?: Readonly<Record<string, string>>;
  query?: z.ZodType;
  body?: z.ZodType;
  example?: unknown;
  /** Answers by status; a file is a PDF, any other schema is JSON. */
  answers: Record<number, Answer>;
  /** Failures in addition to those of every call. */
  failures: readonly FailureCode[];
  /** The object of a failure, where it is not only `Failure`. */
  failure?: z.ZodType;
  /** The call uses the header `Idempotency-Key`. */
  keyed?: true;
}

export interface Operation extends Omit<OperationRow, "call"> {
  group: string;
  method: Method;
  path: string;
}

/** Failures of a call whose input names something. */
export const INPUT_FAILURES: readonly FailureCode[] = ["bad_input", "not_found"];
export const PROVIDER_FAILURES: readonly FailureCode[] = [
  "provider_refused",
  "provider_unreachable",
  "provider_timeout",
];
export const SEND_FAILURES: readonly FailureCode[] = [
  ...INPUT_FAILURES,
  ...PROVIDER_FAILURES,
  "forbidden",
  "insufficient_credits",
  "limit_reached",
  "needs_approval",
  "duplicate",
  "in_progress",
  "key_reused",
];

export function listFailures({ body, failures }: Operation): FailureCode[] {
  const bodily: FailureCode[] = body ? ["bad_input", "too_large", "unsupported_media_type"] : [];
  const always: FailureCode[] = ["signed_out", "missing_scope", "rate_limited", "overloaded"];
  const stored: FailureCode[] = ["not_configured", "database_unavailable", "internal_error"];
  return [...new Set([...bodily, ...failures, ...always, ...stored])];
}

/** Example values that `/reference` replaces with the reader's own. */
export const SAMPLE = {
  userId: "auth-ada",
  /** Any piece. */
  pieceId: "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
  /** A live piece that can be cancelled, and its ID at the provider. */
  livePieceId: "8d3a6c1e5f9b47208e1d2c3b4a596877",
  providerId: "4180021",
  recipientId: "1001",
  endpointId: "e6a1f0c4-2b7d-4a3e-8f95-0d1c2b3a4e5f",
  responseId: "c2d94be1-6f0a-4d2c-9c55-1b7e0a4f3d26",
  origin: "https://mailroom.example.com",
} as const;
