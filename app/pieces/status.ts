import { isBeingSent, type PieceState } from "./states";

/**
 * The tone of a badge: `warn` is yellow, `ok` green, `bad` red, `neutral` grey. Statuses that the specification does
 * not name are grey, except `returned`.
 */
export type StatusTone = "warn" | "ok" | "bad" | "neutral";

export interface StatusWord {
  /** The progress of a piece, which never goes back to a lower or equal rank. */
  rank: number;
  tone: StatusTone;
  meaning: string;
}

const STATUSES: Readonly<Record<string, StatusWord>> = {
  test: word(0, "neutral", "A free PDF was made; nothing is printed or posted."),
  draft: word(0, "neutral", "Not sent yet."),
  received: word(10, "neutral", "Accepted by the provider and waiting for production."),
  queued: word(10, "warn", "Waiting for production."),
  producing: word(20, "neutral", "Being printed or finished."),
  printing: word(20, "neutral", "Being printed or finished."),
  processing: word(20, "warn", "Being printed or finished."),
  processed: word(30, "ok", "Printed and finished."),
  handed_over: word(40, "neutral", "Given to the carrier."),
  dispatched: word(40, "neutral", "Given to the carrier."),
  sent: word(40, "ok", "Sent on its way."),
  in_transit: word(45, "neutral", "Scanned by the carrier on its way."),
  local_delivery: word(50, "neutral", "At the last post office; delivery within 24 hours."),
  delivered: word(60, "ok", "Delivered, by the provider's estimate."),
  returned: word(70, "bad", "Could not be delivered and came back."),
  failed: word(70, "bad", "Could not be sent."),
  cancelled: word(80, "bad", "Stopped before production."),
};

export const CANCELLED = "cancelled";
const IN_PRODUCTION = 20;
const MAX_WORD_CHARS = 40;

/** Finds a status in the table, ignoring letter case and spaces; null for an unknown word. */
export function findStatus(status: string): StatusWord | null {
  const key = normaliseStatus(status);
  return Object.hasOwn(STATUSES, key) ? (STATUSES[key] ?? null) : null;
}

export function toneOf(status: string): StatusTone {
  return findStatus(status)?.tone ?? "neutral";
}

export function isCancelledWord(status: string): boolean {
  return ["cancelled", "canceled"].includes(normaliseStatus(status));
}

export function isTooLate(status: string): boolean {
  return (findStatus(status)?.rank ?? 0) >= IN_PRODUCTION;
}

/** True when only a piece that is produced or mailed has this status, as {@link parseStatus} gives it. */
export function isProduced(status: string): boolean {
  return isTooLate(status) && status !== "failed" && status !== CANCELLED;
}

export function isStillWaiting(status: string): boolean {
  return findStatus(status)?.rank === STATUSES.received?.rank;
}

/** Parses a status so that it can be stored and compared; null when it is no word. */
export function parseStatus(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const status = normaliseStatus(value);
  if (status === "canceled") return CANCELLED;
  return status.length <= MAX_WORD_CHARS && /^[a-z][a-z0-9_]*$/.test(status) ? status : null;
}

export const STATUS_WORDS: readonly string[] = Object.keys(STATUSES);

/** Finds the word for a piece in a list: our own state while it is not settled mail, else the provider's status. */
export function findShownStatus(
  state: PieceState,
  status: string | null,
): { word: string; tone: StatusTone } {
  if (isBeingSent(state) || state === "unknown") return { word: "checking", tone: "warn" };
  if (state === "needs_review") return { word: "needs a decision", tone: "warn" };
  if (state === "refused") return { word: "not mailed", tone: "neutral" };
  if (state === "cancelling") return { word: "cancelling", tone: "warn" };
  if (state === "cancelled") return { word: CANCELLED, tone: toneOf(CANCELLED) };
  return status === null ? { word: "accepted", tone: "neutral" } : { word: status, tone: toneOf(status) };
}

/** The provider's words that a person does not know. */
const PLAIN_WORDS = new Map([
  ["handed_over", "with the carrier"],
  ["dispatched", "with the carrier"],
  ["local_delivery", "out for delivery"],
]);

/** Formats a status for people: "handed_over" is "with the carrier". */
export function formatStatus(status: string): string {
  return PLAIN_WORDS.get(status) ?? status.replaceAll("_", " ");
}

function normaliseStatus(status: string): string {
  return status
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

function word(rank: number, tone: StatusTone, meaning: string): StatusWord {
  return { rank, tone, meaning };
}
