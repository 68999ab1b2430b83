import type { MailType } from "~/pieces/mail-type";
import { formatNumber } from "../format-rows";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

export const NO_ROW = "There is no such row in this list.";

export function formatSentBefore(mailType: MailType, at: Date): string {
  return `Duplicate: a ${mailType} was sent to this name and address on ${day.format(at)}.`;
}

export function formatCorrected(row: number): string {
  return `Row ${formatNumber(row)} can be sent.`;
}

export function formatStillWrong(row: number): string {
  return `Row ${formatNumber(row)} was saved. It still has a problem.`;
}
