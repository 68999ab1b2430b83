import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import {
  DATE_OUT_OF_RANGE,
  isDateInRange,
  NOT_A_DATE,
  pageCursor,
  parseInput,
  selectFilled,
  shortText,
} from "~/platform/input.server";
import type { Outcome } from "~/platform/outcome";
import { METHODS, MODES, NOT_A_METHOD } from "../stored-response";

/** The filter of the Stored Responses tab, its exports and `/api/responses`. */

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;
const LIMIT = `must be a whole number from 1 to ${MAX_LIMIT}`;
const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], NOT_A_DATE)
  .refine(isDateInRange, DATE_OUT_OF_RANGE);

export const responseParameters = z
  .object({
    user_id: userId.optional(),
    category: shortText(100).optional(),
    search: shortText(200).optional(),
    status: z
      .string()
      .toLowerCase()
      .regex(/^(?:[1-5]\d\d|[2-5]xx|none)$/, "must be a status like 404, a class like 4xx, or none")
      .optional(),
    method: z.string().toUpperCase().pipe(z.enum(METHODS, NOT_A_METHOD)).optional(),
    mode: z.enum(MODES, `must be one of ${MODES.join(", ")}`).optional(),
    tag: shortText(100).optional(),
    from: moment.optional(),
    to: moment.optional(),
    cursor: pageCursor.optional(),
    limit: z
      .string()
      .regex(/^\d{1,3}$/, LIMIT)
      .transform(Number)
      .refine((count) => count >= 1 && count <= MAX_LIMIT, LIMIT)
      .optional(),
    bodies: z.enum(["0", "1"], "must be 0 or 1").optional(),
  })
  .transform(({ user_id, cursor, limit, bodies, ...rest }) => ({
    filter: { userId: user_id, ...rest },
    cursor: cursor ?? null,
    limit: limit ?? DEFAULT_LIMIT,
    bodies: bodies !== "0",
  }));

/** A filter and the page of its list. `cursor` is from an earlier page; null for the first one. */
export type ResponseQuery = z.infer<typeof responseParameters>;
export type ResponseFilter = ResponseQuery["filter"];

/**
 * Parses the query of an address. Empty parameters and `all` count as absent; unknown ones are ignored. Fails with
 * `bad_input`, naming each problem.
 */
export function parseResponseQuery(parameters: URLSearchParams): Outcome<ResponseQuery> {
  const set = selectFilled(parameters);
  // In search and tag "all" is an ordinary text.
  for (const name of ["user_id", "category", "status", "method", "mode"]) {
    if (set[name] === "all") delete set[name];
  }
  return parseInput(responseParameters, set, (problems) => `This filter is not valid: ${problems}.`);
}
