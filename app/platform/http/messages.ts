import { formatCount } from "../format-integer";
import { NOTHING_DONE } from "../outcome";

/** Answer at an address without a route. */
export const NOTHING_HERE = "There is nothing here.";

/** Message after a used-up limit. @param isPage true for a person at a browser, where a reload repeats the post */
export function formatTooManyRequests(seconds: number, isPage: boolean): string {
  const wait = `${NOTHING_DONE} Wait ${formatCount(seconds, "second")}`;
  const next = isPage ? ". Then reload this page: what you typed is sent again." : " and try again.";
  return `Too many requests. ${wait}${next}`;
}
