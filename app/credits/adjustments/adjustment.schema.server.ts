import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { idempotencyKey, parseInput, shortText } from "~/platform/input.server";
import { fail, type Outcome } from "~/platform/outcome";
import { AMOUNT_RANGE, MAX_ADJUSTMENT, MISSING_FIELDS } from "../messages";

const DESCRIPTION_CHARS = 500;

const amount = z
  .number({ error: AMOUNT_RANGE })
  .int(AMOUNT_RANGE)
  .min(1, AMOUNT_RANGE)
  .max(MAX_ADJUSTMENT, AMOUNT_RANGE);
const fields = {
  user_id: userId,
  description: shortText(DESCRIPTION_CHARS),
  action: z.enum(["add", "deduct"], "must be add or deduct"),
  idempotency_key: idempotencyKey.nullish(),
};

const wire = z.object({ ...fields, amount });

export const wireAdjustment = wire.transform(toAdjustment);

/** The form of the page, whose values are all text. */
export const adjustmentForm = z
  .object({
    ...fields,
    amount: z
      .string({ error: AMOUNT_RANGE })
      .trim()
      .regex(/^\d{1,9}$/, AMOUNT_RANGE)
      .transform(Number)
      .pipe(amount),
  })
  .transform(toAdjustment);

export type Adjustment = z.infer<typeof wireAdjustment>;

/** Parses a caller's adjustment. Strict: the text `"1"` is not an amount. Fails with `bad_input`. */
export function parseAdjustment(input: unknown): Outcome<Adjustment> {
  if (lacksFields(Object(input))) return fail("bad_input", MISSING_FIELDS);
  return parseInput(
    wireAdjustment,
    input,
    (problems) => `The adjustment is not valid: ${problems}. Nothing was changed.`,
  );
}

/** Returns the form's message when user, amount or description is empty; null when all are filled in. */
export function findMissingFields(form: FormData): string | null {
  return lacksFields(Object.fromEntries(form)) ? MISSING_FIELDS : null;
}

function lacksFields(input: Record<string, unknown>): boolean {
  return ["user_id", "amount", "description"].some((name) => {
    const value = input[name];
    return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
  });
}

function toAdjustment({ user_id: userId, idempotency_key, ...rest }: z.output<typeof wire>) {
  return { ...rest, userId, idempotencyKey: idempotency_key ?? null };
}
