import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { listPieces } from "~/api/load-pieces.server";
import { parsePieceQuery } from "~/api/piece-query.server";
import { createPiece } from "~/api/send-piece.server";
import { requireKeyedJson } from "~/people/check-request.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** A user's pieces, live and tests, newest first; `next_cursor` leads to the older ones. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const filter = parsePieceQuery(new URL(request.url).searchParams, viewer);
  if (!filter.ok) return replyFailure(filter.failure);
  const page = await listPieces(filter.value, viewer);
  if (!page.ok) return replyFailure(page.failure);
  return replyJson({ success: true, data: page.value.rows, next_cursor: page.value.nextCursor });
}

/** Sends one piece. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireKeyedJson({ request, context });
  const sent = await createPiece(body, viewer, request.signal);
  if (!sent.ok) return replyFailure(sent.failure, {}, sent.more);
  const { httpStatus, piece, replayed, notice } = sent;
  return replyJson({ success: true, data: piece, replayed, notice }, httpStatus, {
    Location: `/api/pieces/${piece.id}`,
    ...(replayed ? { "Idempotent-Replayed": "true" } : {}),
  });
}
