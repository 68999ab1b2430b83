import type { MailType } from "~/pieces/mail-type";

/** Sentences about lists as a whole. */

export const NO_LIST = "There is no such list.";
export const LISTS_INTRO =
  "A list sends one design to many people. To make one, open a postcard or letter in the API Builder and press Send to a list.";
export const NO_LISTS =
  "No lists yet. Each list appears here with its progress and what became of its pieces.";
export const OPEN_TEMPLATE_ABOUT =
  "Opens it in the API Builder. Send it to a list from there: the new list can take the rows of this one.";
export const DELETE_QUESTION =
  "Its rows, columns and tests are deleted. Nothing of it was mailed. This cannot be undone.";
export const LIST_DELETED = "The draft was deleted.";
export const NOT_DELETED = "Only a draft can be deleted, and not during an import. Nothing was deleted.";
export const UNTIL_CONFIGURED = "Lists need a database.";
export const NOT_CHANGED_NOW =
  "The list was started, so its rows and columns cannot be changed. Nothing was changed.";

export function formatNewList(mailType: MailType): string {
  return mailType === "postcard" ? "New postcard list" : "New letter list";
}

/** Formats the purpose of reserved credits for the ledger. */
export function formatListPurpose(name: string): string {
  return `list "${name}"`;
}

/** The way of a list to its start. */
export const STEPS = { import: "Import", check: "Check", test: "Test", start: "Start" };

export const ERASED = "The people of this list were erased after the retention time.";
