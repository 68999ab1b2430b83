/** The sentences about a person's data. */

export const NO_PERSON = "There is no such recipient, or they were erased already.";
export const OPEN_PIECES =
  "A piece to this person is not settled yet, and its request may have to be repeated. Nothing was erased: settle it, then try again.";
export const NOT_CONFIRMED = "Tick the box first. Nothing was erased.";
export const NOT_FOUND_AGAIN =
  "A ticked record no longer exists. Nothing was erased: check the list and try again.";
export const CANNOT_UNDO =
  "Name, address and content go from all records above that are linked or ticked, of all users. Credits and the ledger stay. This cannot be undone.";
export const PROVIDER_KEEPS = "The provider keeps its own copy: delete the recipient there too.";
export const BACKUPS_KEEP = "Older backups still have the data; a restore erases it again.";

/** How a match is linked to the person, as the page says it. */
export const LINKS = {
  exact: "linked",
  name: "same name",
  email: "same e-mail, another name",
  address: "same address, another name",
} as const;

/** Names of each kind: one and more. */
export const KINDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  recipients: ["recipient", "recipients"],
  pieces: ["piece", "pieces"],
  tests: ["test", "tests"],
  testedPieces: ["test PDF", "test PDFs"],
  responses: ["stored response", "stored responses"],
  drafts: ["draft", "drafts"],
  listRows: ["list row", "list rows"],
};

/** "2 pieces, 1 list row"; "nothing" without any. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([kind, count]) => {
    const [one, many] = KINDS[kind] ?? [kind, kind];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return parts.join(", ") || "nothing";
}
