import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NOT_A_CURSOR } from "~/platform/page-cursor";
import { shortText } from "~/platform/short-text.server";
import { DAY_MS } from "~/platform/time";
import { TRANSACTION_TYPES, type TransactionCause } from "../ledger/transaction";

/** Which transactions are asked for: the parameters of the history, its CSV and `/api/credits/transactions`. */

const REACH = "is not between 1970 and 9998";
/** What the database can keep, whatever the offset. */
const isInReach = (text: string) => text >= "1970" && text < "9999";

const day = z.iso
  .date("is no date like 2026-11-21")
  .refine(isInReach, REACH)
  .transform((text) => new Date(`${text}T00:00:00Z`));
const moment = z.iso
  .datetime({ offset: true, error: "is no date like 2026-11-21" })
  .refine(isInReach, REACH)
  .transform((text) => new Date(text));

const filter = z
  .object({
    user_id: userId.optional(),
    type: z.enum(TRANSACTION_TYPES, `is none of ${TRANSACTION_TYPES.join(", ")}`).optional(),
    from: z.union([day, moment], "is no date like 2026-11-21").optional(),
    // A day counts to its end.
    to: z
      .union(
        [day.transform((start) => new Date(start.getTime() + DAY_MS)), moment],
        "is no date like 2026-11-21",
      )
      .optional(),
    q: shortText(200).optional(),
    cursor: z
      .string()
      .regex(/^[1-9]\d{0,17}$/, NOT_A_CURSOR)
      .transform(BigInt)
      .optional(),
  })
  .transform(({ user_id, type, from, to, q, cursor }) => ({
    filter: { userId: user_id, type, from, to, text: q },
    cursor: cursor ?? null,
  }));

/** `from` counts, `to` does not; days are UTC. Pages ask for a cause too, addresses do not. */
export type TransactionFilter = Partial<z.infer<typeof filter>["filter"]> & { cause?: TransactionCause };

/** A filter and where in its list to go on. */
export interface TransactionQuery {
  filter: TransactionFilter;
  cursor: bigint | null;
}

/** Reads the parameters of an address; empty ones count as absent. Fails with `bad_input`, naming each. */
export function parseTransactionQuery(parameters: URLSearchParams): Outcome<TransactionQuery> {
  const given = [...parameters].filter(([, value]) => value.trim() !== "");
  const parsed = filter.safeParse(Object.fromEntries(given));
  if (parsed.success) return succeed(parsed.data);
  const problems = parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  return fail("bad_input", `The list cannot be filtered like this: ${problems.join("; ")}.`);
}
