import { formatVariables, LISTED_NAMES } from "./merge/messages";

/** Sentences of the preview and of the letter PDF. Those of file checks are in artwork/messages.ts. */

export const PREVIEW = {
  title: "Preview",
  hide: "Hide preview",
  show: "Show preview",
  update: "Update preview",
  /** Behind the update button, without JavaScript. */
  updateNote: "redraws the form's values with the layers ticked above.",
  notes: "Preview notes",
  noSize: "Choose a size to see the preview.",
  approximate:
    "Text and positions are approximate until you send a test. Then you see the provider's PDF here.",
  printSize: "At 100 % browser zoom this is close to real size on most screens. Check it with a ruler.",
} as const;

/** In the order of their numbers in the drawing. */
const CLEAR_ZONES = { postcard: ["address", "barcode", "postage"], letter: ["address", "QR code"] };

/** "Clear zones (approximate): 1 address, 2 barcode, 3 postage" */
export function formatClearZones(kind: keyof typeof CLEAR_ZONES): string {
  return `Clear zones (approximate): ${CLEAR_ZONES[kind].map((name, at) => `${at + 1} ${name}`).join(", ")}`;
}

/** Longer names lose their middle. */
const MOST_NAME_SIGNS = 36;

export const NO_FRONT = "No front artwork yet";
export const LOADING_IMAGE = "Loading the image";
export const UNREADABLE_IMAGE = "This image cannot be shown";

export function formatTemplatePlaceholder(template: string): string[] {
  return [`Template ${template}`, "The provider draws it in its PDF.", "Send a test to see it."];
}

/** Beginning and end of a name that is too long for a drawing; its ending says what it is. */
export function formatFileName(name: string): string {
  const signs = [...name];
  return signs.length <= MOST_NAME_SIGNS
    ? name
    : `${signs.slice(0, MOST_NAME_SIGNS / 2).join("")}…${signs.slice(-MOST_NAME_SIGNS / 2).join("")}`;
}

export function formatRemoteFile(url: string): string[] {
  return ["The provider downloads this from", formatFileName(url)];
}

export function formatUnknownKind(name: string): string[] {
  return [`${formatFileName(name)} is not a JPG, PNG or PDF`];
}

/** `PDF, 2 pages`; `PDF` when the pages are not counted. */
export function formatPdf(pages: number | undefined): string {
  return pages === undefined ? "PDF" : `PDF, ${formatCount(pages, "page", "pages")}`;
}

export function formatPdfLoading(share: number): string {
  return `Loading the PDF, ${Math.round(share * 100)} %`;
}

export function formatPageLoading(page: number, pages: number): string {
  return `Loading page ${page} of ${pages}`;
}

export function formatHiddenPages(count: number): string {
  return `${formatCount(count, "more page is", "more pages are")} not shown.`;
}

// Findings: what would be printed wrong, or cannot be previewed.

export function formatCutLines(count: number): string {
  return `${formatCount(count, "line of the message does", "lines of the message do")} not fit and will be cut.`;
}

export function formatFilledByRecipient(names: readonly string[]): string {
  return `Choose a recipient to see what fills ${formatVariables(names)}.`;
}

export function formatFilledLater(names: readonly string[], recipientId: string): string {
  return `${formatVariables(names)} will be filled from recipient ${recipientId} when you send.`;
}

export const WHITE_ON_WHITE = "White text on white paper will be invisible.";
export const CLEAR_ZONES_OFF =
  "Clear zones are off. Sorting machines may not read the address on top of your artwork.";
export const NO_POSTCODE =
  "The recipient list shows no postcode. The provider prints the address it has saved.";
export const LOST_VARIABLES =
  "Variables reach a template only with a new recipient. For a saved recipient the provider fills in its own data.";
export const SIDEWAYS_BACK = "The back of a 6x4 is printed sideways: addresses run along the long edge.";

export function formatLongAddress(count: number): string {
  return `The address is too long for its area (approximate): ${formatCount(count, "line does", "lines do")} not fit.`;
}

export function formatTooManyLetterPages(pages: number, most: number): string {
  return `The letter has ${pages} pages. The provider prints ${most} at most.`;
}

export function formatUnlistedRecipient(id: string): string {
  return `Recipient ${id} is not in the loaded list. The provider prints the address it has saved.`;
}

/** @param shown what the preview draws instead; null: nothing of the content */
export function formatHiddenTemplate(template: string, shown: "artwork" | "overlay" | null): string {
  const here = {
    artwork: " Here you see your own artwork.",
    overlay: " Here you see only what is printed on top of it.",
  };
  return `The provider draws template ${template} in its PDF. Send a test to see it.${shown ? here[shown] : ""}`;
}

// What is approximate.

export const POSTCARD_NOTES = [
  "Barcode area: as the US Postal Service defines it, 4 3/4 x 5/8 in.",
  "Address area and postage mark: usual US sizes. The provider does not publish its own.",
  "Message and signature: the provider does not publish their position or the line spacing.",
  "Padding: drawn in millimetres, and as 5 mm when none is chosen. The provider names no unit.",
  "The provider breaks the message into lines, so its lines may end elsewhere. The provider's PDF of a test shows them.",
];
export const LETTER_NOTES = [
  "Address window: as in usual window envelopes of the country. The provider does not publish its own.",
  "Text of page 1 starts below the window, because the address is printed there.",
  "QR code: printed at the bottom left of each sheet. The provider does not publish its size.",
  "Pages and lines are those of the PDF that is printed. Letters may look different where this device lacks the font.",
];

// A letter made from text.

export const LETTER_UNREACHABLE =
  "The preview is not up to date: the server did not answer. It is asked again with your next change.";
export const LETTER_SIGNED_OUT = "Log in to see the text on the letter's pages.";

export const NOT_LAID_OUT = "The letter was not laid out.";
export const NO_LETTER_PDF = "No PDF was made of the letter.";

export function formatNotLaidOut(problems: string): string {
  return `The letter was not laid out: ${problems}.`;
}

export function formatUnprintable(characters: readonly string[]): string {
  return `These characters cannot be printed; they become boxes or are left out: ${characters.slice(0, LISTED_NAMES).join(" ")}`;
}

// Merge variables.

/** @param field the field that has the text */
export function formatMergedTooLong(field: string, chars: number, most: number): string {
  return `${field} is too long: with its variables filled it would have ${inEnglish(chars)} characters, ${inEnglish(most)} at most. Shorten the text or the values.`;
}

// The letter PDF.

export const EMPTY_LETTER =
  "No PDF was made: the letter's text is empty. Write some text or attach a PDF file.";

export function formatLongLetter(count: number, most: number, unit: "characters" | "pages"): string {
  return `No PDF was made: the letter has ${inEnglish(count)} ${unit}, ${inEnglish(most)} at most. Shorten it or attach a PDF file.`;
}

export function formatLongParagraph(chars: number, most: number): string {
  return `No PDF was made: a paragraph has ${inEnglish(chars)} characters, ${inEnglish(most)} at most. Divide it or attach a PDF file.`;
}

export function formatLongCluster(most: number): string {
  return `No PDF was made: one character has more than ${most} accents or other parts. Remove some or attach a PDF file.`;
}

function inEnglish(number: number): string {
  return number.toLocaleString("en");
}

function formatCount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
