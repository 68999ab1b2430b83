import { formatCount, formatInteger } from "~/platform/format-integer";
import { formatDate } from "~/ui/moment";
import { formatVariables, LISTED_NAMES } from "./merge/merge";

/** Sentences of the preview and of the letter PDF. Those of file checks are in artwork/messages.ts. */

/** Longer names lose their middle. */
const MOST_NAME_SIGNS = 36;

export function formatTemplatePlaceholder(template: string): string[] {
  return [`Template ${template}`, "The provider draws it in its PDF.", "Send a test to see it."];
}

/** Keeps the beginning and end of a name that is too long for a drawing; its ending says what it is. */
export function formatFileName(name: string): string {
  const signs = [...name];
  return signs.length <= MOST_NAME_SIGNS
    ? name
    : `${signs.slice(0, MOST_NAME_SIGNS / 2).join("")}…${signs.slice(-MOST_NAME_SIGNS / 2).join("")}`;
}

/** Formats `PDF, 2 pages`, or `PDF` when the pages are not counted. */
export function formatPdf(pages: number | undefined): string {
  return pages === undefined ? "PDF" : `PDF, ${formatCount(pages, "page")}`;
}

export function formatHiddenPages(count: number): string {
  return `${formatPlural(count, "more page is", "more pages are")} not shown.`;
}

// Findings: what would be printed wrong, or cannot be previewed.

export function formatCutLines(count: number): string {
  return `${formatPlural(count, "line of the message does", "lines of the message do")} not fit and will be cut.`;
}

export function formatFilledLater(names: readonly string[], recipientId: string): string {
  return `${formatVariables(names)} will be filled from recipient ${recipientId} when you send.`;
}

/** @param at when the last piece to this address was reported as returned */
export function formatCameBack(at: Date): string {
  return `Came back on ${formatDate(at)}: mail to this name and address could not be delivered.`;
}

export function formatTooManyLetterPages(pages: number, most: number): string {
  return `The letter has ${pages} pages; ${most} can be printed. Shorten it.`;
}

export const NO_LETTER_PDF = "No PDF was made of the letter.";

export function formatUnprintable(characters: readonly string[]): string {
  return `These characters become boxes or are left out: ${characters.slice(0, LISTED_NAMES).join(" ")}`;
}

// Merge variables.

/** @param field the field that has the text */
export function formatMergedTooLong(field: string, chars: number, most: number): string {
  return `${field} is too long: with its variables filled it would have ${formatInteger(chars)} characters; the limit is ${formatInteger(most)}. Shorten the text or the values.`;
}

// The letter PDF.

export const EMPTY_LETTER =
  "No PDF was made: the letter's text is empty. Write some text or attach a PDF file.";

export function formatLongLetter(count: number, most: number, unit: "characters" | "pages"): string {
  return `No PDF was made: the letter has ${formatInteger(count)} ${unit}; the limit is ${formatInteger(most)}. Shorten it or attach a PDF file.`;
}

export function formatLongParagraph(chars: number, most: number): string {
  return `No PDF was made: a paragraph has ${formatInteger(chars)} characters; the limit is ${formatInteger(most)}. Divide it or attach a PDF file.`;
}

export function formatLongCluster(most: number): string {
  return `No PDF was made: one character has more than ${most} accents or other parts. Remove some or attach a PDF file.`;
}

function formatPlural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
