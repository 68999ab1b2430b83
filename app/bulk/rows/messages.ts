import type { MailType } from "~/pieces/mail-type";
import { formatBadPostcode } from "~/print/layout/address-rules";
import { formatCountry } from "../countries";
import { formatNumber } from "../format-rows";

/** Sentences about rows: columns, checks and corrections. */

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

// Rows
export const NO_ROW = "There is no such row in this list.";

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

export function formatCountryUnknown(country: string): string {
  return `Mailroom cannot send to ${formatCountry(country).slice(0, 40)} yet.`;
}

export function formatPostcode(postcode: string, country: string, example: string): string {
  const hint = /^\d+$/.test(postcode) && /^\d+$/.test(example) && postcode.length < example.length;
  const lost = hint ? " Excel may have dropped a leading 0." : "";
  return `${formatBadPostcode(postcode, country, example)}${lost}`;
}

export function formatNoValueFor(names: readonly string[]): string {
  return `No value for ${names.map((name) => `{${name}}`).join(", ")}. Fill it in, or set a default under Columns.`;
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
