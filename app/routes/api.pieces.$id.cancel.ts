import { cancelPiece } from "~/api/pieces.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonRoute } from "~/route-handlers.server";

/** Cancels and refunds a piece: 202 until the provider confirms it. */
export const action = jsonRoute(async ({ id, viewer }) => {
  const { piece, message, refund, pending } = requireValue(await cancelPiece(id, viewer));
  return replyJson({ success: true, data: piece, message, refund }, pending ? 202 : 200);
});
