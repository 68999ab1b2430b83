import type { AlarmKind } from "./alarm-kinds";

/** Sentences of the alarms page. Titles are in `alarm-kinds.ts`; the evidence comes from the code that opens an alarm. */

export const NO_OPEN_ALARMS = "Nothing needs a decision right now.";
export const NO_CLOSED_ALARMS = "No alarm was closed yet.";
export const ALARM_CLOSED = "Alarm closed. Your reason is kept with it.";
export const REASON_MISSING = "Say why it is settled. The alarm stays open.";
export const ALREADY_CLOSED =
  "This alarm is closed already, or it ends with a decision on its list. Nothing was changed.";
/** The decision that closes an alarm, made on the page of its subject. */
export const DECISIONS: Partial<Record<AlarmKind, string>> = {
  piece_needs_decision: "Say on the piece's page whether it was mailed. That closes this alarm.",
  approval_needed: "Approve or refuse the list on its page. That closes this alarm.",
  list_paused: "Resume or stop the list on its page. That closes this alarm.",
};
export const CLOSE_HINT = "Closing changes no mail and no credits. The reason is kept with your name.";

/** For the badge and its title. */
export function formatOpenAlarms(count: number): string {
  return count === 1 ? "1 alarm" : `${count.toLocaleString("en")} alarms`;
}

/** @param times how often it was reported */
export function formatTimes(times: number): string {
  return times === 1 ? "Reported once" : `Reported ${times.toLocaleString("en")} times`;
}

/** "Postcard to Jane Smith"; by its id where its record is lost. */
export function formatPiece(mailType: string | null, addressee: string | null, id: string): string {
  if (mailType === null) return `Piece ${id}`;
  return `${mailType === "letter" ? "Letter" : "Postcard"}${addressee === null ? "" : ` to ${addressee}`}`;
}
