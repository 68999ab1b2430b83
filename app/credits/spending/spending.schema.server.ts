import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { formatProblems } from "~/platform/input-problems.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatBadFilter } from "../messages";

const month = z
  .string()
  .regex(/^(?:19[89]\d|20\d\d)-(?:0[1-9]|1[0-2])$/, "must be a month (YYYY-MM) between 1980 and 2099");
const query = z.object({ month: month.optional(), until: month.optional(), user_id: userId.optional() });

/** Which months, and whose mail. */
export interface SpendingQuery {
  /** The one that is shown by person and kind. */
  month: string | null;
  /** The last one of the list. */
  until: string | null;
  userId: string | null;
}

/** The query in the parameters of an address; empty ones count as absent. Fails with `bad_input`, naming each problem. */
export function parseSpendingQuery(parameters: URLSearchParams): Outcome<SpendingQuery> {
  const given = [...parameters].filter(([, value]) => value.trim() !== "");
  const parsed = query.safeParse(Object.fromEntries(given));
  if (!parsed.success) return fail("bad_input", formatBadFilter(formatProblems(parsed.error)));
  const { month: shown, until, user_id } = parsed.data;
  return succeed({ month: shown ?? null, until: until ?? null, userId: user_id ?? null });
}
