import { formatNumber, formatRows } from "../format-rows";

/** Sentences about importing rows. */

export const PASTED = "Pasted rows";
/** The name of such a list: a person's name is not kept with it. */
export const ONE_RECIPIENT = "One recipient";
export const NOTHING_TO_IMPORT = "Choose a file or paste rows first. Nothing was imported.";
export const NOTHING_IMPORTED = "Nothing was imported.";
export const IMPORTED_MEANWHILE =
  "Another import of this list was begun at the same time. Nothing was imported; import it again.";
export const IMPORTING = "Importing and checking";
export const IMPORT_LOST = "The last import did not end. Import the file again.";
export const GROUPS_ABOUT =
  "The recipients of a group as the provider has them now. What you correct here stays in this list.";
export const LOAD_GROUPS = "Or choose a group of the provider's account";
export const NO_GROUPS = "The provider's account has no groups.";
export const NO_SUCH_GROUP = "The provider has no such group. Nothing was imported.";
export const GROUP_EMPTY = "The group has no recipients.";
export const DO_NOT_MAIL = "The provider has this recipient as not to be mailed.";
export const NO_ROWS_THERE = "This list has no rows to take. Nothing was imported.";
export const LEFT_OUT_THERE = "It was left out of the list that it was taken from.";
export const EMPTY_FILE = "The file is empty.";
export const HEADER_ONLY = "The file has a header and no rows below it.";
export const NO_HEADER = "The first row is empty. It must name the columns.";
export const WORKBOOK_FILE =
  "This is an Excel workbook. In Excel choose Save As, then CSV UTF-8, and upload that file.";
export const PDF_FILE = "This is a PDF. Upload a CSV file.";
export const FILE_TOO_LARGE =
  "The file is too large. A list may have 50,000 rows and 11 MB; split it into several. Nothing was imported.";
export const NOT_A_TEXT_FILE = "This is not a text file. Upload a CSV file.";

export function formatImporting(percent: number | null): string {
  return percent === null ? "Uploading..." : `${IMPORTING}: ${percent} %`;
}

export function formatImported(number: number): string {
  return `${formatRows(number)} imported.`;
}

export function formatGroup(name: string, recipients: number): string {
  return `${name} (${formatNumber(recipients)})`;
}

export function formatGroupsFailed(reason: string): string {
  return `The provider's groups could not be loaded. ${reason}`;
}

export function formatSameHeader(name: string, first: number, second: number): string {
  return `Columns ${first} and ${second} are both named "${name}". Rename one of them.`;
}

export function formatUnknownSeparator(separator: string): string {
  return `The columns seem to be separated by ${separator}. Save the file with commas, or write sep=${separator} as its first line.`;
}

export function formatTooManyColumns(number: number, limit: number): string {
  return `The file has ${formatNumber(number)} columns; a list may have ${limit}. Remove those you do not need.`;
}

export function formatTooManyRows(limit: number): string {
  return `There are more than ${formatNumber(limit)} rows. Split them into several lists.`;
}

export function formatCellTooLong(row: number, column: string, chars: number, limit: number): string {
  return `Row ${formatNumber(row)}, column "${column}" has ${formatNumber(chars)} characters; a cell may have ${formatNumber(limit)}.`;
}

export function formatRowTooLong(row: number, limit: number): string {
  return `Row ${formatNumber(row)} has more than ${formatNumber(limit)} characters. A closing quotation mark may be missing.`;
}

export function formatBadQuotes(row: number): string {
  return `Row ${formatNumber(row)} has a quotation mark in the wrong place. A cell that begins with one ends with one; inside it, each is written twice.`;
}

// On the page
export const IMPORT_ABOUT =
  "The first row names the columns: name and address, and one for each placeholder of the design. Up to 50,000 rows and 11 MB.";
export const IMPORT_AGAIN = "Its rows replace those of the list.";
export const PASTE_PLACEHOLDER = "First name\tLast name\tAddress\tCity\tPostcode\tCountry";
