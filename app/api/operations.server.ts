import { z } from "zod";
import { wireAdjustment } from "~/credits/adjustments/adjustment.server";
import { transactionParameters } from "~/credits/history/transactions.schema.server";
import { wireOrder } from "~/credits/purchases/checkout.server";
import { cancelOrder, deletion, itemQuery, listQuery } from "~/mail/mail.schema.server";
import { refreshBody } from "~/pieces/events/refresh-status.server";
import { probeResponse, proxyResponse } from "~/proxy/answer.schema.server";
import { proxyRequest } from "~/proxy/send-request.schema.server";
import { savedResponse } from "~/responses/save/save.schema.server";
import { responseParameters } from "~/responses/search/filter.schema.server";
import { deliveryList, deliveryQuery, replayOrder, replayQueued } from "~/webhooks/deliveries.schema.server";
import * as answers from "./answers.server";
import {
  INPUT_FAILURES,
  type Method,
  type Operation,
  type OperationRow,
  PROVIDER_FAILURES,
  SAMPLE,
  SEND_FAILURES,
} from "./operation.server";
import { failure } from "./piece.schema.server";
import { PIECE_OPERATIONS } from "./piece-operations.server";

const GROUPS: Readonly<Record<string, readonly OperationRow[]>> = {
  Pieces: PIECE_OPERATIONS,
  Proxy: [
    {
      id: "callProvider",
      call: "POST /api/stannp",
      summary: "Call the provider with Mailroom's key",
      description:
        "Any request that the Builder can make. The answer has the provider's status and body: `data` and `text`, and in `base64` the bytes of a body that is not exactly `text` in UTF-8, such as a PDF. A test needs `send:test`, a GET or an address check `read`, anything else `send:live`. A call that was built and not made, or not answered, returns the same object with the reason in `error` (402, 409, 502, 503, 504).",
      scope: "by-request",
      body: proxyRequest,
      example: { path: "recipients/list", method: "GET" },
      answers: {
        200: [
          "The provider's answer; a probe (`__probe__`) says whether there is a key.",
          z.union([proxyResponse, probeResponse]),
        ],
        202: ["Live mail whose outcome, or that of its cancel, is not known yet.", proxyResponse],
      },
      failures: SEND_FAILURES,
      failure: z.union([failure, proxyResponse]),
      keyed: true,
    },
  ],
  Mail: [
    {
      id: "listMailItems",
      call: "GET /api/mail/items",
      samples: { userId: SAMPLE.userId },
      summary: "List mail items of a user",
      scope: "read",
      query: itemQuery,
      answers: {
        200: ["Newest first; `X-Next-Cursor` leads on.", z.array(answers.mailItem)],
      },
      failures: INPUT_FAILURES,
    },
    {
      id: "listMailRecipients",
      call: "GET /api/mail/recipients",
      samples: { userId: SAMPLE.userId },
      summary: "List recipients of a user",
      scope: "read",
      query: listQuery,
      answers: {
        200: ["Newest first; `X-Next-Cursor` leads on.", z.array(answers.mailRecipient)],
      },
      failures: INPUT_FAILURES,
    },
    {
      id: "cancelMail",
      call: "POST /api/mail/cancel",
      summary: "Cancel a mail item by the provider's ID",
      scope: "send:live",
      body: cancelOrder,
      example: { userId: SAMPLE.userId, mailItemId: SAMPLE.providerId },
      answers: {
        200: ["Cancelled and refunded.", answers.cancelled],
        202: ["Not confirmed yet.", answers.cancelPending],
      },
      failures: [...INPUT_FAILURES, ...PROVIDER_FAILURES, "in_progress"],
    },
    {
      id: "refreshMail",
      call: "POST /api/mail/refresh",
      summary: "Ask the provider where pieces are",
      scope: "read",
      body: refreshBody,
      example: { ids: [SAMPLE.pieceId] },
      answers: { 200: ["Their status now.", answers.refreshed] },
      failures: [...INPUT_FAILURES, ...PROVIDER_FAILURES],
    },
    {
      id: "deleteMailRecipient",
      call: "POST /api/mail/recipients/delete",
      summary: "Delete a recipient, here and at the provider",
      scope: "send:live",
      body: deletion,
      example: { userId: SAMPLE.userId, recipientId: SAMPLE.recipientId },
      answers: { 200: ["Deleted.", answers.recipientDeleted] },
      failures: [...INPUT_FAILURES, ...PROVIDER_FAILURES],
    },
  ],
  "Stored responses": [
    {
      id: "listResponses",
      call: "GET /api/responses",
      summary: "List stored responses, newest first",
      scope: "read",
      query: responseParameters,
      answers: { 200: ["A page of responses.", answers.responseList] },
      failures: INPUT_FAILURES,
    },
    {
      id: "saveResponse",
      call: "POST /api/responses",
      summary: "Save a response",
      scope: "send:test",
      body: savedResponse,
      example: {
        user_id: SAMPLE.userId,
        method: "GET",
        path: "recipients/list",
        status_code: 200,
        tags: ["nightly"],
      },
      answers: { 200: ["Saved.", answers.oneResponse] },
      failures: [...INPUT_FAILURES, "key_reused"],
      keyed: true,
    },
    {
      id: "getResponse",
      call: "GET /api/responses/{id}",
      samples: { id: SAMPLE.responseId },
      summary: "Get one stored response",
      scope: "read",
      answers: {
        200: [
          "The response with its bodies. `response_base64` has the bytes of an answer that is not exactly `response_data`.",
          answers.oneResponse,
        ],
      },
      failures: ["not_found"],
    },
    {
      id: "deleteResponse",
      call: "DELETE /api/responses/{id}",
      samples: { id: SAMPLE.responseId },
      summary: "Delete a stored response",
      scope: "send:live",
      answers: { 200: ["Deleted.", answers.responseDeleted] },
      failures: ["not_found"],
    },
    {
      id: "cancelResponse",
      call: "POST /api/responses/{id}/cancel",
      samples: { id: SAMPLE.livePieceId },
      summary: "Cancel the piece of a stored response",
      scope: "send:live",
      answers: {
        200: ["Cancelled and refunded.", answers.cancelled],
        202: ["Not confirmed yet.", answers.cancelPending],
      },
      failures: [...INPUT_FAILURES, ...PROVIDER_FAILURES, "in_progress"],
    },
    {
      id: "getResponseStats",
      call: "GET /api/responses/stats",
      summary: "Count stored responses",
      scope: "read",
      answers: { 200: ["Totals.", answers.responseStats] },
      failures: [],
    },
  ],
  Credits: [
    {
      id: "listCredits",
      call: "GET /api/credits",
      summary: "List users with their credits",
      scope: "read",
      query: z.object({ user_id: z.string().optional() }),
      answers: { 200: ["Users and credits.", answers.creditUserList] },
      failures: ["not_found"],
    },
    {
      id: "adjustCredits",
      call: "POST /api/credits",
      summary: "Add or deduct credits",
      description: "For admins, where `ADMIN_EMAILS` names any.",
      scope: "credits",
      body: wireAdjustment,
      example: { user_id: SAMPLE.userId, amount: 10, description: "Top-up for November", action: "add" },
      answers: { 200: ["Adjusted.", answers.adjusted] },
      failures: [...INPUT_FAILURES, "forbidden", "insufficient_credits", "key_reused"],
      keyed: true,
    },
    {
      id: "listTransactions",
      call: "GET /api/credits/transactions",
      summary: "List the ledger, newest first",
      scope: "read",
      query: transactionParameters,
      answers: { 200: ["A page of the ledger.", answers.transactionList] },
      failures: INPUT_FAILURES,
    },
    {
      id: "createCheckout",
      call: "POST /api/stripe/create-checkout",
      summary: "Open a card payment for credits",
      scope: "credits",
      body: wireOrder,
      example: {
        user_id: SAMPLE.userId,
        success_url: `${SAMPLE.origin}/users?success=true`,
        cancel_url: `${SAMPLE.origin}/users?canceled=true`,
      },
      answers: { 200: ["The address of the payment page.", answers.checkoutOpened] },
      failures: [...INPUT_FAILURES, "forbidden", "provider_unreachable"],
    },
  ],
  People: [
    {
      id: "listUsers",
      call: "GET /api/users",
      summary: "List users one can act for",
      scope: "read",
      answers: { 200: ["The token's owner first.", answers.userList] },
      failures: [],
    },
  ],
  Webhooks: [
    {
      id: "listWebhookDeliveries",
      call: "GET /api/webhooks/deliveries",
      summary: "List webhook deliveries, newest first",
      description: "What was sent to endpoints in the last 30 days, with each try and its answer.",
      scope: "read",
      query: deliveryQuery,
      answers: { 200: ["A page of deliveries.", deliveryList] },
      failures: ["bad_input"],
    },
    {
      id: "replayWebhookEvents",
      call: "POST /api/webhooks/{id}/replay",
      samples: { id: SAMPLE.endpointId },
      summary: "Send every event since a time again",
      description:
        "To one endpoint, each once with its message ID, in order, at most ten a second. An event that fails is tried again before the next one is sent. A repeated call queues nothing twice. Admins only.",
      scope: "send:live",
      body: replayOrder,
      example: { since: "2026-11-23T08:00:00Z", missed_only: true },
      answers: { 200: ["Queued.", replayQueued] },
      failures: [...INPUT_FAILURES, "forbidden"],
    },
  ],
};

/** All calls of the API. A test compares them with the access table. */
export const OPERATIONS: readonly Operation[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(({ call, ...row }) => {
    const [method, path] = call.split(" ") as [Method, string];
    return { group, method, path, ...row };
  }),
);
