/** The sentences about a person's data. */

export const NO_PERSON = "There is no such recipient, or they were erased already.";
export const OPEN_PIECES =
  "A piece to this person is not settled yet, and its request may have to be repeated. Nothing was erased: settle it, then try again.";
export const NOT_CONFIRMED = "Tick the box first. Nothing was erased.";
export const CANNOT_UNDO =
  "Name, address and content go from pieces, stored responses, PDFs, drafts and tests, for all users. Credits and the ledger stay. This cannot be undone.";
export const PROVIDER_KEEPS = "The provider keeps its own copy: delete the recipient there too.";

export function formatErased(pieces: number, responses: number): string {
  return `Erased: ${count(pieces, "piece")} and ${count(responses, "stored response")} have no personal data any more.`;
}

export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
