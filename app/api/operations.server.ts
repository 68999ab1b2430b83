import { z } from "zod";
import { wireAdjustment } from "~/credits/adjustments/adjustment.schema.server";
import { transactionParameters } from "~/credits/history/transactions.schema.server";
import { wireOrder } from "~/credits/purchases/checkout.schema.server";
import { cancelOrder, deletion, itemQuery, listQuery } from "~/mail/mail.schema.server";
import { refreshBody } from "~/pieces/events/refresh-status.server";
import type { RequiredScope } from "~/platform/http/token-scopes";
import type { FailureCode } from "~/platform/outcome";
import { savedResponse } from "~/responses/save/save.schema.server";
import { responseParameters } from "~/responses/search/filter.schema.server";
import { proxyRequest } from "~/sending/send-request.schema.server";
import { deliveryList, deliveryQuery } from "~/webhooks/event.schema.server";
import { EXAMPLES } from "./examples";
import {
  cancelledPiece,
  createdPiece,
  newPiece,
  onePiece,
  pieceList,
  pieceQuery,
} from "./piece.schema.server";

/** Every call of the API, with the schemas that its route parses by. A test compares them with the access table. */
export interface Operation {
  id: string;
  method: "get" | "post" | "delete";
  /** As OpenAPI writes it: `/api/pieces/{id}`. */
  path: string;
  group: "Pieces" | "Proxy" | "Mail" | "Stored responses" | "Credits" | "People" | "Webhooks";
  summary: string;
  description?: string;
  scope: RequiredScope;
  query?: z.ZodType;
  body?: z.ZodType;
  example?: unknown;
  /** By status: what it means, and what comes with it. */
  answers: Record<number, { description: string; schema: z.ZodType; example?: unknown }>;
  /** Besides those of every call. */
  failures: readonly FailureCode[];
  /** The header `Idempotency-Key` counts. */
  keyed?: true;
}

const success = z.looseObject({ success: z.literal(true) });
const list = z.looseObject({ success: z.literal(true), data: z.array(z.looseObject({})) });
const bareList = z.array(z.looseObject({ id: z.string() }));
const input: readonly FailureCode[] = ["bad_input", "not_found"];
const provider: readonly FailureCode[] = ["provider_refused", "provider_unreachable", "provider_timeout"];

const PIECES: readonly Operation[] = [
  {
    id: "createPiece",
    method: "post",
    path: "/api/pieces",
    group: "Pieces",
    summary: "Send a letter or postcard",
    description:
      "Live mail needs an idempotency key. A key stands for one piece of one person: repeated with the same request it gives the first answer (`replayed`), with another request 422.",
    scope: "by-request",
    body: newPiece,
    example: EXAMPLES.newPiece,
    answers: {
      200: { description: "The key was used before: this is that piece.", schema: createdPiece },
      201: { description: "The provider has the piece.", schema: createdPiece, example: EXAMPLES.created },
      202: {
        description: "Not known yet whether the provider has it. Ask for the piece later.",
        schema: createdPiece,
      },
    },
    failures: [
      ...input,
      ...provider,
      "insufficient_credits",
      "limit_reached",
      "needs_approval",
      "duplicate",
      "in_progress",
      "key_reused",
    ],
    keyed: true,
  },
  {
    id: "listPieces",
    method: "get",
    path: "/api/pieces",
    group: "Pieces",
    summary: "List pieces, newest first",
    scope: "read",
    query: pieceQuery,
    answers: { 200: { description: "A page of pieces.", schema: pieceList, example: EXAMPLES.list } },
    failures: input,
  },
  {
    id: "getPiece",
    method: "get",
    path: "/api/pieces/{id}",
    group: "Pieces",
    summary: "Get one piece",
    scope: "read",
    answers: { 200: { description: "The piece.", schema: onePiece, example: EXAMPLES.one } },
    failures: ["not_found"],
  },
  {
    id: "cancelPiece",
    method: "post",
    path: "/api/pieces/{id}/cancel",
    group: "Pieces",
    summary: "Cancel a piece and refund it",
    scope: "send:live",
    answers: {
      200: {
        description: "Cancelled, and refunded once.",
        schema: cancelledPiece,
        example: EXAMPLES.cancelled,
      },
      202: {
        description: "The provider has not confirmed it yet. Ask for the piece later.",
        schema: cancelledPiece,
      },
    },
    failures: [...input, ...provider, "in_progress"],
  },
];

const OTHERS: readonly Operation[] = [
  {
    id: "callProvider",
    method: "post",
    path: "/api/stannp",
    group: "Proxy",
    summary: "Call the provider with Mailroom's key",
    description:
      "Any request that the Builder can make. The answer has the provider's status and body. A test needs `send:test`, a GET `read`, anything else `send:live`.",
    scope: "by-request",
    body: proxyRequest,
    example: EXAMPLES.proxy,
    answers: {
      200: { description: "What the provider answered.", schema: z.looseObject({}) },
      202: { description: "Live mail whose outcome is not known yet.", schema: z.looseObject({}) },
    },
    failures: [
      ...input,
      ...provider,
      "insufficient_credits",
      "limit_reached",
      "needs_approval",
      "duplicate",
      "in_progress",
      "key_reused",
    ],
    keyed: true,
  },
  {
    id: "listMailItems",
    method: "get",
    path: "/api/mail/items",
    group: "Mail",
    summary: "List mail items of a user",
    scope: "read",
    query: itemQuery,
    answers: { 200: { description: "Newest first; `X-Next-Cursor` leads on.", schema: bareList } },
    failures: input,
  },
  {
    id: "listMailRecipients",
    method: "get",
    path: "/api/mail/recipients",
    group: "Mail",
    summary: "List recipients of a user",
    scope: "read",
    query: listQuery,
    answers: { 200: { description: "Newest first; `X-Next-Cursor` leads on.", schema: bareList } },
    failures: input,
  },
  {
    id: "cancelMail",
    method: "post",
    path: "/api/mail/cancel",
    group: "Mail",
    summary: "Cancel a mail item by the provider's ID",
    scope: "send:live",
    body: cancelOrder,
    example: EXAMPLES.cancel,
    answers: {
      200: { description: "Cancelled and refunded.", schema: success },
      202: { description: "Not confirmed yet.", schema: z.looseObject({ success: z.literal(false) }) },
    },
    failures: [...input, ...provider, "in_progress"],
  },
  {
    id: "refreshMail",
    method: "post",
    path: "/api/mail/refresh",
    group: "Mail",
    summary: "Ask the provider where pieces are",
    scope: "read",
    body: refreshBody,
    example: EXAMPLES.refresh,
    answers: { 200: { description: "Their status now.", schema: success } },
    failures: [...input, ...provider],
  },
  {
    id: "deleteMailRecipient",
    method: "post",
    path: "/api/mail/recipients/delete",
    group: "Mail",
    summary: "Delete a recipient, here and at the provider",
    scope: "send:live",
    body: deletion,
    example: EXAMPLES.deletion,
    answers: { 200: { description: "Deleted.", schema: success } },
    failures: [...input, ...provider],
  },
  {
    id: "listResponses",
    method: "get",
    path: "/api/responses",
    group: "Stored responses",
    summary: "List stored responses, newest first",
    scope: "read",
    query: responseParameters,
    answers: { 200: { description: "A page of responses.", schema: list } },
    failures: input,
  },
  {
    id: "saveResponse",
    method: "post",
    path: "/api/responses",
    group: "Stored responses",
    summary: "Save a response",
    scope: "send:test",
    body: savedResponse,
    example: EXAMPLES.saved,
    answers: { 200: { description: "Saved.", schema: success } },
    failures: [...input, "key_reused"],
    keyed: true,
  },
  {
    id: "getResponse",
    method: "get",
    path: "/api/responses/{id}",
    group: "Stored responses",
    summary: "Get one stored response",
    scope: "read",
    answers: { 200: { description: "The response with its bodies.", schema: success } },
    failures: ["not_found"],
  },
  {
    id: "deleteResponse",
    method: "delete",
    path: "/api/responses/{id}",
    group: "Stored responses",
    summary: "Delete a stored response",
    scope: "send:test",
    answers: { 200: { description: "Deleted.", schema: success } },
    failures: ["not_found"],
  },
  {
    id: "cancelResponse",
    method: "post",
    path: "/api/responses/{id}/cancel",
    group: "Stored responses",
    summary: "Cancel the piece of a stored response",
    scope: "send:live",
    answers: {
      200: { description: "Cancelled and refunded.", schema: success },
      202: { description: "Not confirmed yet.", schema: z.looseObject({ success: z.literal(false) }) },
    },
    failures: [...input, ...provider, "in_progress"],
  },
  {
    id: "getResponseStats",
    method: "get",
    path: "/api/responses/stats",
    group: "Stored responses",
    summary: "Count stored responses",
    scope: "read",
    answers: { 200: { description: "Totals.", schema: success } },
    failures: [],
  },
  {
    id: "listCredits",
    method: "get",
    path: "/api/credits",
    group: "Credits",
    summary: "List users with their credits",
    scope: "read",
    query: z.object({ user_id: z.string().optional() }),
    answers: { 200: { description: "Users and credits.", schema: list } },
    failures: ["not_found"],
  },
  {
    id: "adjustCredits",
    method: "post",
    path: "/api/credits",
    group: "Credits",
    summary: "Add or deduct credits",
    description: "For admins, where `ADMIN_EMAILS` names any.",
    scope: "credits",
    body: wireAdjustment,
    example: EXAMPLES.adjustment,
    answers: { 200: { description: "Adjusted.", schema: success } },
    failures: [...input, "forbidden", "insufficient_credits", "key_reused"],
    keyed: true,
  },
  {
    id: "listTransactions",
    method: "get",
    path: "/api/credits/transactions",
    group: "Credits",
    summary: "List the ledger, newest first",
    scope: "read",
    query: transactionParameters,
    answers: { 200: { description: "A page of the ledger.", schema: list } },
    failures: input,
  },
  {
    id: "createCheckout",
    method: "post",
    path: "/api/stripe/create-checkout",
    group: "Credits",
    summary: "Open a card payment for credits",
    scope: "credits",
    body: wireOrder,
    example: EXAMPLES.checkout,
    answers: { 200: { description: "The address of the payment page.", schema: success } },
    failures: [...input, "provider_unreachable"],
  },
  {
    id: "listUsers",
    method: "get",
    path: "/api/users",
    group: "People",
    summary: "List users one can act for",
    scope: "read",
    answers: { 200: { description: "The token's owner first.", schema: success } },
    failures: [],
  },
  {
    id: "listWebhookDeliveries",
    method: "get",
    path: "/api/webhooks/deliveries",
    group: "Webhooks",
    summary: "List webhook deliveries, newest first",
    description: "What was sent to endpoints in the last 30 days, with each try and its answer.",
    scope: "read",
    query: deliveryQuery,
    answers: { 200: { description: "A page of deliveries.", schema: deliveryList } },
    failures: ["bad_input"],
  },
];

export const OPERATIONS: readonly Operation[] = [...PIECES, ...OTHERS];

/** The failures of a call, those of every call included. */
export function listFailures({ body, failures }: Operation): FailureCode[] {
  const bodily: FailureCode[] = body ? ["bad_input", "too_large", "unsupported_media_type"] : [];
  const always: FailureCode[] = ["signed_out", "missing_scope", "rate_limited", "overloaded"];
  const stored: FailureCode[] = ["not_configured", "database_unavailable"];
  return [...new Set([...bodily, ...failures, ...always, ...stored])];
}
