import { listDays } from "~/platform/time";
import type { ResponseDay, ResponseStats } from "../stored-response";
import type { StoredContent } from "../tab/stored-view";

const SUCCESSFUL = ["200", "201"];
const FIRST_ERROR = 400;
const NOTHING: ResponseDay["counts"] = { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, none: 0 };

/** The four figures of the tab: statuses 200 and 201 are successful, 400 and above are errors. */
export function sumStats({ total, by_status, recent_count }: ResponseStats): StoredContent["totals"] {
  const sum = { total, successful: 0, errors: 0, recent: recent_count };
  for (const [status, count] of Object.entries(by_status)) {
    if (SUCCESSFUL.includes(status)) sum.successful += count;
    if (Number(status) >= FIRST_ERROR) sum.errors += count;
  }
  return sum;
}

/** The last `count` UTC days, the oldest first, including days without responses. */
export function fillDays(known: readonly ResponseDay[], count: number, now: Date): ResponseDay[] {
  const byDay = new Map(known.map((day) => [day.day, day]));
  return listDays(count, now).map((day) => byDay.get(day) ?? { day, counts: NOTHING });
}
