import { parseCancelOrder } from "~/mail/mail.schema.server";
import { cancelMail } from "~/pieces/cancel/cancel-mail.server";
import { toWireCancel } from "~/pieces/cancel/cancel-settle.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonBodyRoute } from "~/route-handlers.server";

/** Cancels and refunds a mail item: 200 when cancelled, 202 with `pending: true` until the provider confirms it. */
export const action = jsonBodyRoute(async ({ viewer, body }) => {
  const cancelled = requireValue(await cancelMail(requireValue(parseCancelOrder(body)), viewer));
  return replyJson(toWireCancel(cancelled), cancelled.kind === "pending" ? 202 : 200);
});
