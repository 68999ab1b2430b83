import { z } from "zod";
import {
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

const PIECE = {
  id: SAMPLE.pieceId,
  mode: "live",
  type: "letter",
  state: "accepted",
  status: "received",
  status_at: "2026-11-22T17:05:12.000Z",
  provider_id: SAMPLE.providerId,
  user_id: SAMPLE.userId,
  actor_id: `${SAMPLE.userId} via nightly-job`,
  recipient: "Amelia Hartwell",
  credits: { cost: 2, held: 0, charged: 2 },
  reference: "order-5521",
  tags: ["welcome"],
  tested_piece_id: null,
  pdf_url: `${SAMPLE.origin}/api/pieces/${SAMPLE.pieceId}/pdf`,
  note: null,
  url: `${SAMPLE.origin}/sends/${SAMPLE.pieceId}`,
  created_at: "2026-11-22T17:05:11.204Z",
  settled_at: "2026-11-22T17:05:12.031Z",
} as const;

const EXAMPLES = {
  newPiece: {
    mode: "test",
    type: "letter",
    recipient: {
      firstname: "Amelia",
      lastname: "Hartwell",
      address1: "12 Elm Street",
      city: "Portland",
      state: "OR",
      postcode: "97205",
      country: "US",
    },
    content: { text: "Dear Amelia,\n\nwelcome." },
    reference: "order-5521",
    tags: ["welcome"],
  },
  created: { success: true, data: PIECE, replayed: false, notice: null },
  one: { success: true, data: PIECE },
  list: { success: true, data: [PIECE], next_cursor: null },
  cancelled: {
    success: true,
    data: { ...PIECE, state: "cancelled", status: "cancelled", credits: { cost: 2, held: 0, charged: 0 } },
    message: "Letter cancelled",
    refund: { credits_refunded: 2, new_balance: 100 },
  },
} as const;

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
      200: [
        "The key was used before: this is that piece. With `preflight=only`, the findings.",
        createdPiece,
      ],
      201: ["The provider has the piece.", createdPiece, EXAMPLES.created],
      202: ["The outcome is not known yet. Get the piece again later.", createdPiece],
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
    answers: { 200: ["A page of pieces.", pieceList, EXAMPLES.list] },
    failures: INPUT_FAILURES,
  },
  {
    id: "getPiece",
    call: "GET /api/pieces/{id}",
    samples: { id: SAMPLE.pieceId },
    summary: "Get one piece",
    scope: "read",
    answers: { 200: ["The piece.", onePiece, EXAMPLES.one] },
    failures: ["not_found"],
  },
  {
    id: "getPiecePdf",
    call: "GET /api/pieces/{id}/pdf",
    samples: { id: SAMPLE.livePieceId },
    summary: "Get the provider's PDF of a piece",
    description: "Returns the PDF when the piece's `pdf_url` is not null.",
    scope: "read",
    answers: { 200: ["The file.", z.file().mime("application/pdf")] },
    failures: ["not_found", "provider_unreachable", "provider_timeout"],
  },
  {
    id: "cancelPiece",
    call: "POST /api/pieces/{id}/cancel",
    samples: { id: SAMPLE.livePieceId },
    summary: "Cancel a piece and refund it",
    scope: "send:live",
    answers: {
      200: ["Cancelled, and refunded once.", cancelledPiece, EXAMPLES.cancelled],
      202: ["The provider has not confirmed it yet. Ask for the piece later.", cancelledPiece],
    },
    failures: [...INPUT_FAILURES, ...PROVIDER_FAILURES, "in_progress"],
  },
];
