import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NOT_A_CURSOR, parseCursor } from "~/platform/page-cursor";
import { shortText } from "~/platform/short-text.server";
import type { ResponseFilter } from "../stored-response";

/** What a list of stored responses is asked for: the parameters of the tab, its exports and `/api/responses`. */

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;
const LIMIT = `is a whole number from 1 to ${MAX_LIMIT}`;
const DATE = "is no date like 2026-11-21";
const REACH = "is not between 1970 and 9998";
/** What the database can keep, whatever the offset. */
const isInReach = (text: string) => text >= "1970" && text < "9999";
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], DATE).refine(isInReach, REACH);

const parameters = z
  .object({
    user_id: userId.optional(),
    category: shortText(100).optional(),
    search: shortText(200).optional(),
    status: z
      .string()
      .toLowerCase()
      .regex(/^(?:[1-5]\d\d|[2-5]xx|none)$/, "is a status like 404, a class like 4xx, or none")
      .optional(),
    method: z
      .string()
      .toUpperCase()
      .pipe(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"], "is none of GET, POST, PUT, PATCH, DELETE"))
      .optional(),
    tag: shortText(100).optional(),
    from: moment.optional(),
    to: moment.optional(),
    cursor: z
      .string()
      .refine((text) => parseCursor(text) !== null, NOT_A_CURSOR)
      .optional(),
    limit: z
      .string()
      .regex(/^\d{1,3}$/, LIMIT)
      .transform(Number)
      .refine((count) => count >= 1 && count <= MAX_LIMIT, LIMIT)
      .optional(),
    bodies: z.enum(["0", "1"], "is 0 or 1").optional(),
  })
  .transform(({ user_id, cursor, limit, bodies, ...rest }) => ({
    filter: { ...(user_id === undefined ? {} : { userId: user_id }), ...rest } as ResponseFilter,
    cursor: cursor ?? null,
    limit: limit ?? DEFAULT_LIMIT,
    bodies: bodies !== "0",
  }));

/** A filter and which part of its list is wanted. */
export interface ResponseQuery {
  filter: ResponseFilter;
  /** As a list gave it; null for its beginning. */
  cursor: string | null;
  /** 1 to 100. */
  limit: number;
  bodies: boolean;
}

/**
 * Reads the parameters of an address; empty ones and `all` count as absent, others than these are none of our
 * business. Fails with `bad_input`, naming each that is wrong.
 */
export function parseResponseQuery(given: URLSearchParams): Outcome<ResponseQuery> {
  const set = [...given].filter(([name, value]) => value.trim() !== "" && !isAll(name, value));
  const parsed = parameters.safeParse(Object.fromEntries(set));
  if (parsed.success) return succeed(parsed.data);
  const problems = parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  return fail("bad_input", `The list cannot be filtered like this: ${problems.join("; ")}.`);
}

/** "all" is a word one may search for, and a tag one may give. */
function isAll(name: string, value: string): boolean {
  return ["user_id", "category", "status", "method"].includes(name) && value === "all";
}
