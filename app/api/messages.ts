export const NO_SUCH_PIECE = "There is no piece with this ID. Nothing was changed.";

export const KEY_NEEDED =
  "Live mail needs an Idempotency-Key, so that a retry never mails it twice. Nothing was sent and nothing was charged. Send a key of your own for each piece.";

export const REFERENCE_USED =
  "`reference` is that of another live piece of yours. Nothing was sent and nothing was charged. Choose another one.";

export const PIECES_NEED_DATABASE = "Pieces need a database. Nothing was sent and nothing was charged.";

export const TEST_NOT_KEPT =
  "The test was made, but it could not be stored. Nothing was mailed. Send it again.";

/** @param problems "`recipient.city` is required; `mode` must be test or live" */
export function formatBadPiece(problems: string): string {
  return `The request is not valid: ${problems}. Nothing was sent and nothing was charged.`;
}

/** A piece that was handed on, and whose record cannot be read. */
export function formatNotReadable(id: string): string {
  return `Piece ${id} was sent, but its record cannot be read now. Ask for it again later, or repeat with the same key.`;
}
