import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import {
  DATE_OUT_OF_RANGE,
  isDateInRange,
  NOT_A_DATE,
  parseInput,
  selectFilled,
  shortText,
} from "~/platform/input.server";
import type { Outcome } from "~/platform/outcome";
import { NOT_A_CURSOR } from "~/platform/page-cursor";
import { DAY_MS } from "~/platform/time";
import { TRANSACTION_TYPES, type TransactionCause } from "../ledger/transaction";
import { formatBadFilter } from "../messages";

const day = z.iso
  .date(NOT_A_DATE)
  .refine(isDateInRange, DATE_OUT_OF_RANGE)
  .transform((text) => new Date(`${text}T00:00:00Z`));
const moment = z.iso
  .datetime({ offset: true, error: NOT_A_DATE })
  .refine(isDateInRange, DATE_OUT_OF_RANGE)
  .transform((text) => new Date(text));

/** The filter of the history, its CSV file and `/api/credits/transactions`. */
export const transactionParameters = z
  .object({
    user_id: userId.optional(),
    type: z.enum(TRANSACTION_TYPES, `must be one of ${TRANSACTION_TYPES.join(", ")}`).optional(),
    from: z.union([day, moment], NOT_A_DATE).optional(),
    // A day is included to its end.
    to: z
      .union([day.transform((start) => new Date(start.getTime() + DAY_MS)), moment], NOT_A_DATE)
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

/** `from` is inclusive, `to` exclusive; days are UTC. Only pages filter by cause. */
export type TransactionFilter = Partial<z.infer<typeof transactionParameters>["filter"]> & {
  cause?: TransactionCause;
};

export type TransactionQuery = { filter: TransactionFilter; cursor: bigint | null };

/** Parses the parameters of an address; empty ones count as absent. */
export function parseTransactionQuery(parameters: URLSearchParams): Outcome<TransactionQuery> {
  return parseInput(transactionParameters, selectFilled(parameters), formatBadFilter);
}
