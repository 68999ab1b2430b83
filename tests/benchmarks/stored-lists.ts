import type { ResponseFilter } from "~/responses/stored-response";
import { RARE_WORD } from "./fill-responses";

/** What is looked for, by name; the number tells one round from the next. */
export const LISTS: [name: string, filter: (round: number) => ResponseFilter][] = [
  ["list, no filter", () => ({})],
  ["list by user", (n) => ({ userId: `user-${1 + (n % 40)}` })],
  ["list by category", (n) => ({ category: ["letters", "recipients", "events"][n % 3] ?? "" })],
  ["list by user and category", (n) => ({ userId: `user-${1 + (n % 40)}`, category: "letters" })],
  ["list by status", (n) => ({ status: ["200", "404", "418"][n % 3] ?? "" })],
  ["list by status class", (n) => ({ status: ["4xx", "5xx", "none"][n % 3] ?? "" })],
  ["list by method", (n) => ({ method: ["GET", "POST", "DELETE"][n % 3] ?? "" })],
  ["list by common tag", () => ({ tag: "auto-saved" })],
  ["list by rare tag", () => ({ tag: RARE_WORD })],
  ["list by days", (n) => ({ from: writeDay((n % 300) + 7), to: writeDay(n % 300) })],
  ["search, rare word", () => ({ search: RARE_WORD })],
  ["search, common word", () => ({ search: "recipients" })],
  ["search, absent word", (n) => ({ search: `zzqqxx${n}` })],
  ["search, user and common word", (n) => ({ userId: `user-${1 + (n % 40)}`, search: "recipients" })],
  ["search, a user's name", (n) => ({ search: `person ${1 + (n % 40)}` })],
  ["search, two letters", () => ({ search: "ab" })],
];

/** As an address has it. */
export function toParameters({ userId, ...rest }: ResponseFilter): Record<string, string> {
  return { ...(userId === undefined ? {} : { user_id: userId }), ...rest };
}

function writeDay(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
}
