import type { ActionFunctionArgs } from "@remix-run/node";
import { cancelPiece } from "~/api/pieces.server";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Cancels and refunds a piece: 202 until the provider confirms it. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const { piece, message, refund, pending } = requireValue(await cancelPiece(params.id ?? "", viewer));
  return replyJson({ success: true, data: piece, message, refund }, pending ? 202 : 200);
}
