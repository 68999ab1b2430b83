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

/** The filter's narrow page of 50 as one would write it by hand: no names, bodies or counts. */
export function writeRawSql({ userId, category, status, method, tag, search, from, to }: ResponseFilter): {
  text: string;
  values: unknown[];
} {
  const values: unknown[] = [];
  const give = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["deleted_at IS NULL"];
  if (userId !== undefined) conditions.push(`user_id = ${give(userId)}`);
  if (category !== undefined) conditions.push(`endpoint_category = ${give(category)}`);
  if (method !== undefined) conditions.push(`method = ${give(method)}`);
  if (status === "none") conditions.push("status_code IS NULL");
  else if (status?.endsWith("xx")) conditions.push(`status_code / 100 = ${give(Number(status[0]))}`);
  else if (status !== undefined) conditions.push(`status_code = ${give(Number(status))}`);
  if (tag !== undefined) conditions.push(`tags @> ARRAY[${give(tag)}]`);
  if (from !== undefined) conditions.push(`created_at >= ${give(from)}::date`);
  if (to !== undefined) conditions.push(`created_at < ${give(to)}::date + 1`);
  if (search?.startsWith("person")) conditions.push(`user_id = ${give(search.replace("person ", "user-"))}`);
  else if (search !== undefined) conditions.push(`search_text LIKE ${give(`%${search}%`)}`);
  const text = `SELECT id, user_id, method, path, endpoint_category, endpoint_preset, status_code, tags, created_at
    FROM responses WHERE ${conditions.join(" AND ")} ORDER BY created_at DESC, id DESC LIMIT 50`;
  return { text, values };
}

/** As an address has it. */
export function toParameters({ userId, ...rest }: ResponseFilter): Record<string, string> {
  return { ...(userId === undefined ? {} : { user_id: userId }), ...rest };
}

function writeDay(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
}
