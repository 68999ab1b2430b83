import type { FormattedMoment } from "~/ui/moment";

export const KEPT_DAYS = 30;
export const FAILURE_DAYS = 14;
export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;

/** Filter of the log. Empty texts do not filter. */
export interface LogFilter {
  id: string;
  token: string;
  path: string;
  status: string;
}

export interface StoredCall {
  id: string;
  at: Date;
  requestId: string;
  method: string;
  path: string;
  about: string | null;
  userId: string | null;
  userName: string | null;
  tokenName: string | null;
  status: number;
  durationMs: number;
  reason: string | null;
}

export interface StoredFailure extends Omit<StoredCall, "id" | "at" | "requestId" | "durationMs"> {
  count: number;
  first: Date;
  last: Date;
  newestId: string;
  callers: number;
}

/** A call in the list. */
export interface CallRow extends Omit<StoredCall, "at" | "about" | "userId" | "userName" | "tokenName"> {
  at: FormattedMoment;
  about: { text: string; href: string | null } | null;
  /** Null: no known session or token. */
  who: string | null;
}

/** Failures of one call for one reason. */
export interface FailureRow extends Pick<StoredFailure, "status" | "reason" | "count" | "newestId"> {
  call: string;
  first: FormattedMoment;
  last: FormattedMoment;
  who: string;
}

export interface ApiLogView {
  filter: LogFilter;
  tokens: { id: string; name: string }[];
  calls: CallRow[];
  failures: FailureRow[];
  newest: string | null;
  older: string | null;
}

/** Builds an address of the log. */
export function logAddress(filter: Partial<LogFilter>, before?: string | null): string {
  const present = Object.entries({ ...filter, before }).filter(([, value]) => value);
  const query = new URLSearchParams(present as [string, string][]);
  return query.size > 0 ? `/api-log?${query}` : "/api-log";
}
