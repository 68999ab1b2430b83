import { DAY_MS, formatIsoDay, HOUR_MS, MINUTE_MS } from "~/platform/time";

/** A time as text, formatted on the server, so that the browser's clock and time zone do not matter. */
export interface FormattedMoment {
  iso: string;
  /** `21 Nov 2026, 13:05 UTC` */
  absolute: string;
  /** `2 min ago`, `yesterday`, `3 Nov` */
  relative: string;
}

/** Not by `Intl`, whose first use takes a browser 10 ms. */
export const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

export function formatMoment(at: Date, now: Date): FormattedMoment {
  return { iso: at.toISOString(), absolute: formatTime(at), relative: formatDistance(at, now) };
}

/** {@link formatMoment}, or null for an invalid date. */
export function formatMomentIfValid(at: Date, now: Date): FormattedMoment | null {
  return Number.isNaN(at.getTime()) ? null : formatMoment(at, now);
}

/** `21 Nov` from `2026-11-21`. */
export function formatDay(day: string): string {
  return `${Number(day.slice(8))} ${findMonth(day).slice(0, 3)}`;
}

/** `November 2026` from `2026-11`. */
export function formatMonth(month: string): string {
  return `${findMonth(month)} ${month.slice(0, 4)}`;
}

/** `21 Nov 2026`, UTC. */
export function formatDate(at: Date): string {
  return `${formatDay(formatIsoDay(at))} ${at.getUTCFullYear()}`;
}

/** `21 Nov 2026, 13:05 UTC` */
export function formatTime(at: Date): string {
  return `${formatDate(at)}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** @param day starts with `2026-11` */
function findMonth(day: string): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? "";
}

function formatDistance(at: Date, now: Date): string {
  const ago = now.getTime() - at.getTime();
  if (ago < MINUTE_MS) return "just now";
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)} min ago`;
  const days = Math.floor(now.getTime() / DAY_MS) - Math.floor(at.getTime() / DAY_MS);
  if (days === 0) return `${Math.floor(ago / HOUR_MS)} h ago`;
  if (days === 1) return "yesterday";
  return at.getUTCFullYear() === now.getUTCFullYear() ? formatDay(formatIsoDay(at)) : formatDate(at);
}

interface MomentProps {
  at: FormattedMoment | null;
  absolute?: boolean;
  className?: string;
}

/** A time: date and hour when `absolute`, else relative with the date as its title. Null is shown as 'Invalid date'. */
export function Moment({ at, absolute, className = "" }: MomentProps) {
  if (at === null) return "Invalid date";
  return (
    <time
      dateTime={at.iso}
      title={absolute ? at.relative : at.absolute}
      className={`whitespace-nowrap ${className}`}
    >
      {absolute ? at.absolute.replace(/ UTC$/, "") : at.relative}
    </time>
  );
}
