import type { z } from "zod";
import type { RequiredScope } from "~/platform/http/token-scopes";
import type { FailureCode } from "~/platform/outcome";

interface Answer {
  description: string;
  schema: z.ZodType;
  example?: unknown;
  mediaType?: "application/pdf";
}

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
  /** Answers by status; JSON without a media type. */
  answers: Record<number, Answer>;
  /** Failures in addition to those of every call. */
  failures: readonly FailureCode[];
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

const PIECE = {
  id: SAMPLE.pieceId,
  mode: "live",
  type: "letter",
  state: "accepted",
  status: "received",
  status_at: "2026-11-22T17:05:12.000Z",
  provider_id: SAMPLE.providerId,
  user_id: SAMPLE.userId,
  actor_id: `${SAMPLE.userId} via nightly-job`,
  recipient: "Amelia Hartwell",
  credits: { cost: 2, held: 0, charged: 2 },
  reference: "order-5521",
  tags: ["welcome"],
  tested_piece_id: null,
  pdf_url: `${SAMPLE.origin}/api/pieces/${SAMPLE.pieceId}/pdf`,
  note: null,
  url: `${SAMPLE.origin}/sends/${SAMPLE.pieceId}`,
  created_at: "2026-11-22T17:05:11.204Z",
  settled_at: "2026-11-22T17:05:12.031Z",
} as const;

export const EXAMPLES = {
  newPiece: {
    mode: "test",
    type: "letter",
    recipient: {
      firstname: "Amelia",
      lastname: "Hartwell",
      address1: "12 Elm Street",
      city: "Portland",
      state: "OR",
      postcode: "97205",
      country: "US",
    },
    content: { text: "Dear Amelia,\n\nwelcome." },
    reference: "order-5521",
    tags: ["welcome"],
  },
  created: { success: true, data: PIECE, replayed: false, notice: null },
  one: { success: true, data: PIECE },
  list: { success: true, data: [PIECE], next_cursor: null },
  cancelled: {
    success: true,
    data: { ...PIECE, state: "cancelled", status: "cancelled", credits: { cost: 2, held: 0, charged: 0 } },
    message: "Letter cancelled",
    refund: { credits_refunded: 2, new_balance: 100 },
  },
  cancel: { userId: SAMPLE.userId, mailItemId: SAMPLE.providerId },
  refresh: { ids: [SAMPLE.pieceId] },
  deletion: { userId: SAMPLE.userId, recipientId: SAMPLE.recipientId },
  saved: {
    user_id: SAMPLE.userId,
    method: "GET",
    path: "recipients/list",
    status_code: 200,
    tags: ["nightly"],
  },
  checkout: {
    user_id: SAMPLE.userId,
    success_url: `${SAMPLE.origin}/users?success=true`,
    cancel_url: `${SAMPLE.origin}/users?canceled=true`,
  },
  proxy: { path: "recipients/list", method: "GET" },
  replay: { since: "2026-11-23T08:00:00Z", missed_only: true },
  adjustment: { user_id: SAMPLE.userId, amount: 10, description: "Top-up for November", action: "add" },
} as const;
