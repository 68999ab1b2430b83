import { z } from "zod";
import {
  EXAMPLES,
  INPUT_FAILURES,
  type OperationRow,
  PROVIDER_FAILURES,
  SAMPLE,
  SEND_FAILURES,
} from "./operation.server";
import {
  cancelledPiece,
  createdPiece,
  newPiece,
  onePiece,
  pieceList,
  pieceQuery,
  preflightQuery,
} from "./piece.schema.server";

export const PIECE_OPERATIONS: readonly OperationRow[] = [
  {
    id: "createPiece",
    call: "POST /api/pieces",
    summary: "Send a letter or postcard",
    description:
      "Live mail needs an idempotency key. Use one key for each piece. The same request with the same key returns the first answer (`replayed: true`); a different request with it is refused (422).",
    scope: "by-request",
    query: preflightQuery,
    body: newPiece,
    example: EXAMPLES.newPiece,
    answers: {
      200: {
        description: "The key was used before: this is that piece. With `preflight=only`, the findings.",
        schema: createdPiece,
      },
      201: { description: "The provider has the piece.", schema: createdPiece, example: EXAMPLES.created },
      202: { description: "The outcome is not known yet. Get the piece again later.", schema: createdPiece },
    },
    failures: [...SEND_FAILURES, "reference_used"],
    keyed: true,
  },
  {
    id: "listPieces",
    call: "GET /api/pieces",
    summary: "List pieces, newest first",
    scope: "read",
    query: pieceQuery,
    answers: { 200: { description: "A page of pieces.", schema: pieceList, example: EXAMPLES.list } },
    failures: INPUT_FAILURES,
  },
  {
    id: "getPiece",
    call: "GET /api/pieces/{id}",
    samples: { id: SAMPLE.pieceId },
    summary: "Get one piece",
    scope: "read",
    answers: { 200: { description: "The piece.", schema: onePiece, example: EXAMPLES.one } },
    failures: ["not_found"],
  },
  {
    id: "getPiecePdf",
    call: "GET /api/pieces/{id}/pdf",
    samples: { id: SAMPLE.livePieceId },
    summary: "Get the provider's PDF of a piece",
    description: "Returns the PDF when the piece's `pdf_url` is not null.",
    scope: "read",
    answers: { 200: { description: "The file.", schema: z.file(), mediaType: "application/pdf" } },
    failures: ["not_found", "provider_unreachable", "provider_timeout"],
  },
  {
    id: "cancelPiece",
    call: "POST /api/pieces/{id}/cancel",
    samples: { id: SAMPLE.livePieceId },
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
    failures: [...INPUT_FAILURES, ...PROVIDER_FAILURES, "in_progress"],
  },
];
