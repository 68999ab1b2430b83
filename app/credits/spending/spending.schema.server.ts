import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { parseInput, selectFilled } from "~/platform/input.server";
import type { Outcome } from "~/platform/outcome";
import { formatBadFilter } from "../messages";

const month = z
  .string()
  .regex(/^(?:19[89]\d|20\d\d)-(?:0[1-9]|1[0-2])$/, "must be a month (YYYY-MM) between 1980 and 2099");
const query = z
  .object({ month: month.optional(), until: month.optional(), user_id: userId.optional() })
  .transform(({ month = null, until = null, user_id = null }) => ({ month, until, userId: user_id }));

/** The month shown by person and kind, the last month of the list, and whose mail. */
export type SpendingQuery = z.infer<typeof query>;

/** Parses the parameters of an address; empty ones count as absent. Fails with `bad_input`, naming each problem. */
export function parseSpendingQuery(parameters: URLSearchParams): Outcome<SpendingQuery> {
  return parseInput(query, selectFilled(parameters), formatBadFilter);
}
