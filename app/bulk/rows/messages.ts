import type { MailType } from "~/pieces/mail-type";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

export const NO_ROW = "There is no such row in this list.";

export function formatSentBefore(mailType: MailType, at: Date): string {
  return `Duplicate: a ${mailType} was sent to this name and address on ${day.format(at)}.`;
}
