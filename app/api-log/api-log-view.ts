import { buildAddress } from "~/platform/url";

export const LOG_DAYS = 30;
export const FAILURE_DAYS = 14;
export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;

/** Filter of the log. Empty texts do not filter. */
export type LogFilter = { id: string; token: string; path: string; status: string };

export function logAddress(filter: Partial<LogFilter>, before?: string | null): string {
  return buildAddress("/api-log", { ...filter, before });
}
