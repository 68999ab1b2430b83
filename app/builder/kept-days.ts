import { DAY_MS } from "~/platform/time";

const KEPT_DAYS = 30;

/** True for a draft or history entry that this browser no longer keeps: they hold names and addresses. */
export function isTooOld(savedAt: number, now: number): boolean {
  return now - savedAt > KEPT_DAYS * DAY_MS;
}
