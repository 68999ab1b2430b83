import type { MailType } from "~/pieces/mail-type";
import { formatNumber, formatRows } from "../format-rows";

/** Sentences about rows: columns, checks and corrections. */

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

// Rows
export const NO_ROW = "There is no such row in this list.";
export const ROW_NOT_CHANGED_NOW = "This row cannot be changed now. Nothing was changed.";

export function formatMissingDetails(names: readonly string[]): string {
  return `Missing: ${names.join(", ")}.`;
}

export function formatTooManyCells(cells: number, columns: number): string {
  return `It has ${cells} cells, the header has ${columns}. A cell that has the separator in it must be in quotation marks.`;
}

export function formatFormula(label: string): string {
  return `${label} is a formula. Export values, not formulas.`;
}

export function formatExcelError(label: string, value: string): string {
  return `${label} is Excel's error ${value}.`;
}

export function formatUnreadable(label: string): string {
  return `${label} has a character that cannot be printed. Correct it here, or save the file as UTF-8 and import it again.`;
}

export function formatDetailTooLong(label: string, limit: number): string {
  return `${label} has more than ${limit} characters.`;
}

export function formatCountryUnknown(country: string): string {
  return `Mail cannot be sent to the country "${country.slice(0, 40)}".`;
}

export function formatPostcode(postcode: string, country: string, example: string): string {
  const hint = /^\d+$/.test(postcode) && /^\d+$/.test(example) && postcode.length < example.length;
  const lost = hint ? " Excel may have dropped a leading 0." : "";
  return `"${postcode.slice(0, 20)}" is no postcode in ${country} (like ${example}).${lost}`;
}

export function formatNoValueFor(names: readonly string[]): string {
  return `No value for ${names.map((name) => `{${name}}`).join(", ")}.`;
}

export const ADDRESS_NOT_FOUND = "The provider does not find this address.";

export function formatSameAddress(first: number): string {
  return `Duplicate: the same name and address as row ${formatNumber(first)}.`;
}

export function formatSentBefore(mailType: MailType, at: Date): string {
  return `Duplicate: a ${mailType} was sent to this name and address on ${day.format(at)}.`;
}

export function formatCorrected(row: number): string {
  return `Row ${formatNumber(row)} can be sent.`;
}

export function formatStillWrong(row: number): string {
  return `Row ${formatNumber(row)} was saved. It still has a problem.`;
}

export function formatLeftOut(number: number): string {
  return `${formatRows(number)} left out.`;
}

export function formatTakenBack(row: number): string {
  return `Row ${formatNumber(row)} is in the list again.`;
}

export function formatReadyAgain(number: number): string {
  return `${formatRows(number)} can be sent again.`;
}

// Columns
export const COLUMNS_SAVED = "Columns saved. All rows were checked again.";
/** No column was guessed at all. */
export const NO_COLUMN_KNOWN =
  "No column has a name that we know, so the first row may be a person. Add a row of names above it and import again, or choose the columns below.";

export function formatUnmapped(names: readonly string[]): string {
  return `Choose a column for: ${names.join("; ")}. What the file does not have, add to it and import it again.`;
}

/** @param columns with the number of rows that have a value there */
export function formatUnused(columns: readonly { name: string; filled: number }[]): string {
  return `Not used: ${columns.map(({ name, filled }) => `${name} (${formatRows(filled)})`).join(", ")}.`;
}

// Addresses
export const ADDRESS_CHECKS_ABOUT =
  "The provider can check US and UK addresses before anything is sent, at the pace of its rate limit.";
export const CHECKING_ADDRESSES =
  "The addresses are being checked. Rows that the provider does not find are to be corrected.";
export const ADDRESS_CHECKS_STOPPED = "No more addresses are checked.";

export function formatAddressChecks({
  valid,
  notFound,
  unchecked,
}: {
  valid: number;
  notFound: number;
  unchecked: number;
}): string {
  const others = unchecked === 0 ? "" : `, ${formatNumber(unchecked)} could not be checked`;
  return `Addresses: ${formatNumber(valid)} found, ${formatNumber(notFound)} not found${others}.`;
}

export function formatAddressesLeft(left: number): string {
  return `${formatNumber(left)} left.`;
}

export function formatCheckAddresses(left: number): string {
  return `Check ${formatNumber(left)} ${left === 1 ? "address" : "addresses"}`;
}

// On the page
export const COLUMNS_ABOUT =
  "Columns were chosen by their names. Another choice checks all rows again and needs a new test.";
export const NO_ROWS_FOUND = "No rows match this search.";
export const NO_ROWS_SHOWN = "No rows here.";
export const ALLOW_ROW = "Send it all the same";

export function formatLeaveOutAll(number: number): string {
  return `Leave out all ${formatNumber(number)}`;
}

export function formatStillWrongRows(number: number): string {
  return `${formatRows(number)} with a problem ${number === 1 ? "is" : "are"} not sent.`;
}

export function formatToCorrect(number: number): string {
  return `${formatNumber(number)} to correct`;
}
