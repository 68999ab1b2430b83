import type { ActionFunctionArgs } from "@remix-run/node";
import { cancelPiece } from "~/api/cancel-piece.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** Cancels a piece and refunds it: 202 while the provider has not confirmed it. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const cancelled = await cancelPiece(params.id ?? "", viewer);
  if (!cancelled.ok) return replyFailure(cancelled.failure);
  const { piece, message, refund, pending } = cancelled.value;
  return replyJson({ success: true, data: piece, message, refund }, pending ? 202 : 200);
}
