import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { pieceQuery, preflightQuery } from "~/api/piece.schema.server";
import { listPieces, parsePieceQuery } from "~/api/pieces.server";
import { createPiece, preflightPiece } from "~/api/send-piece.server";
import { requireKeyedJson } from "~/people/check-request.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson, requireValue } from "~/platform/http/replies.server";
import { noteRequest } from "~/platform/log.server";

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const query = requireValue(parsePieceQuery(pieceQuery, request));
  const page = requireValue(await listPieces(query, viewer));
  return replyJson({ success: true, data: page.rows, next_cursor: page.nextCursor });
}

/** Sends one piece, or with `preflight=only` lists its findings. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireKeyedJson({ request, context });
  // A misspelt parameter is refused, so that it does not send mail.
  if (requireValue(parsePieceQuery(preflightQuery, request)).preflight === "only") {
    return replyJson({
      success: true,
      data: null,
      replayed: false,
      notice: null,
      findings: requireValue(await preflightPiece(body, viewer)),
    });
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
}
