import type { FormattedMoment } from "~/ui/moment";

/** How long a call is kept. */
export const KEPT_DAYS = 30;
/** The failures of so many days are grouped. */
export const FAILURE_DAYS = 14;
export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;

/** The filter of the log, as its address and form have it; empty texts filter nothing. */
export interface LogFilter {
  id: string;
  token: string;
  path: string;
  status: string;
}

/** A call in the list. */
export interface CallRow {
  id: string;
  requestId: string;
  at: FormattedMoment;
  method: string;
  path: string;
  about: { text: string; href: string | null } | null;
  /** Null: neither a session nor a token that Mailroom knows. */
  who: string | null;
  status: number;
  durationMs: number;
  reason: string | null;
}

/** Failures of one call for one reason. */
export interface FailureRow {
  call: string;
  status: number;
  reason: string | null;
  count: number;
  first: FormattedMoment;
  last: FormattedMoment;
  who: string;
  newestId: string;
}

export interface ApiLogView {
  filter: LogFilter;
  tokens: { id: string; name: string }[];
  calls: CallRow[];
  failures: FailureRow[];
  newest: string | null;
  older: string | null;
}

/** Address of the log. */
export function logAddress(filter: Partial<LogFilter>, before?: string | null): string {
  const given = Object.entries({ ...filter, before }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]);
  return query.size > 0 ? `/api-log?${query}` : "/api-log";
}
