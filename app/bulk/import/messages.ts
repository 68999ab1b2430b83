import { formatNumber, formatRows } from "../format-rows";

export const IMPORTING = "Importing and checking";

export function formatImporting(percent: number | null): string {
  return percent === null ? "Uploading..." : `${IMPORTING}: ${percent} %`;
}

export function formatImported(number: number): string {
  return `${formatRows(number)} imported.`;
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
