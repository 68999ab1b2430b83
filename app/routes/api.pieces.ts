import { pieceQuery, preflightQuery } from "~/api/piece.schema.server";
import { listPieces, parsePieceQuery } from "~/api/pieces.server";
import { createPiece, preflightPiece } from "~/api/send-piece.server";
import { replyFailure, replyJson, requireValue } from "~/platform/http/replies.server";
import { noteRequest } from "~/platform/log.server";
import { jsonRoute, keyedBodyRoute } from "~/route-handlers.server";

export const loader = jsonRoute(async ({ request, viewer }) => {
  const query = requireValue(parsePieceQuery(pieceQuery, request));
  const page = requireValue(await listPieces(query, viewer));
  return replyJson({ success: true, data: page.rows, next_cursor: page.nextCursor });
});

/** Sends one piece, or with `preflight=only` lists its findings. */
export const action = keyedBodyRoute(async ({ request, viewer, body }) => {
  // A misspelt parameter is refused, so that it does not send mail.
  if (requireValue(parsePieceQuery(preflightQuery, request)).preflight === "only") {
    const findings = requireValue(await preflightPiece(body, viewer));
    return replyJson({ success: true, data: null, replayed: false, notice: null, findings });
  }
  const sent = await createPiece(body, viewer, request.signal);
  if (!sent.ok) return replyFailure(sent.failure, {}, sent.more);
  const { httpStatus, piece, replayed, notice } = sent;
  // The API log links to its page, and a test has none.
  if (piece.mode === "live") noteRequest({ subject: piece.id });
  return replyJson({ success: true, data: piece, replayed, notice }, httpStatus, {
    Location: `/api/pieces/${piece.id}`,
    ...(replayed ? { "Idempotent-Replayed": "true" } : {}),
  });
});
