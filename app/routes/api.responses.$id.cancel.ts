import { toWireCancel } from "~/pieces/cancel/cancel-settle.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { cancelResponse } from "~/responses/cancel-response.server";
import { jsonRoute } from "~/route-handlers.server";

/** Cancels the piece of a stored response. Answers as `/api/mail/cancel` does. */
export const action = jsonRoute(async ({ id, viewer }) => {
  const cancelled = requireValue(await cancelResponse(id, viewer));
  return replyJson(toWireCancel(cancelled), cancelled.kind === "pending" ? 202 : 200);
});
