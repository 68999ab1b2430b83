import { formatCredits } from "~/credits/format-credits";

const NO_ANSWERS = "No answers were stored in this time.";

export function formatStates(
  total: number,
  { delivered, returned, open }: Record<"delivered" | "returned" | "open", number>,
): string {
  if (total === 0) return "No live mail was sent in this time.";
  const waiting = open === 0 ? "" : ` ${inEnglish(open)} ${open === 1 ? "is" : "are"} not settled yet.`;
  return `Of ${inEnglish(total)} pieces, ${inEnglish(delivered)} were delivered and ${inEnglish(returned)} came back.${waiting}`;
}

/** @param slowest the country with the longest way, where there are several */
export function formatDelivery(
  all: { pieces: number; half: number; most: number } | null,
  slowest: { name: string; half: number } | null,
): string {
  if (all === null) return "No piece was delivered in this time.";
  const last = slowest ? ` ${slowest.name} takes longest: ${formatDays(slowest.half)}.` : "";
  return `Half of the mail arrives within ${formatDays(all.half)}, nine of ten pieces within ${formatDays(all.most)}.${last}`;
}

export function formatLatency(all: { answers: number; half: number; slow: number } | null): string {
  if (all === null) return NO_ANSWERS;
  return `Half of ${inEnglish(all.answers)} answers came within ${formatMs(all.half)}, 95 of 100 within ${formatMs(all.slow)}.`;
}

/** @param failed by the provider, or without an answer; @param refused 4xx */
export function formatErrors(total: number, failed: number, refused: number): string {
  if (total === 0) return NO_ANSWERS;
  return `${formatShare(failed, total)} of ${inEnglish(total)} requests failed at the provider or had no answer. ${formatShare(refused, total)} were refused (4xx).`;
}

/** @param days how many */
export function formatSpend(credits: number, days: number): string {
  if (credits === 0) return `No credits were spent on mail in ${days} days.`;
  return `${formatCredits(credits)} in ${days} days, ${(credits / days).toLocaleString("en", { maximumFractionDigits: 1 })} a day.`;
}

/** Formats "3 days" or "0.5 days". */
export function formatDays(days: number): string {
  const text = days.toLocaleString("en", { maximumFractionDigits: 1 });
  return `${text} ${text === "1" ? "day" : "days"}`;
}

export function formatMs(ms: number): string {
  return ms < 1000
    ? `${Math.round(ms).toLocaleString("en")} ms`
    : `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} s`;
}

function formatShare(part: number, total: number): string {
  const share = (part / total) * 100;
  return `${share.toLocaleString("en", { maximumFractionDigits: share > 0 && share < 1 ? 2 : 1 })}%`;
}

function inEnglish(count: number): string {
  return count.toLocaleString("en");
}
