import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { idempotencyKey, shortText } from "~/platform/short-text.server";

/** What may come in to add or deduct credits by hand (spec §5 Credit adjustment, money.md §5). */

const MAX_ADJUSTMENT = 1_000_000;
const DESCRIPTION_CHARS = 500;
/** spec §8, where any of the three is not there. */
const MISSING_FIELDS = "Please fill in all fields";
const RANGE = `is a whole number from 1 to ${MAX_ADJUSTMENT.toLocaleString("en")}`;

const amount = z.number({ error: RANGE }).int(RANGE).min(1, RANGE).max(MAX_ADJUSTMENT, RANGE);
const fields = {
  user_id: userId,
  description: shortText(DESCRIPTION_CHARS),
  action: z.enum(["add", "deduct"], "is add or deduct"),
  idempotency_key: idempotencyKey.nullish(),
};

const wireAdjustment = z.object({ ...fields, amount }).transform(toAdjustment);

/** The form of the page, where every value is text. */
export const adjustmentForm = z
  .object({
    ...fields,
    amount: z
      .string({ error: RANGE })
      .trim()
      .regex(/^\d{1,9}$/, RANGE)
      .transform(Number)
      .pipe(amount),
  })
  .transform(toAdjustment);

export type Adjustment = z.infer<typeof wireAdjustment>;

/** A caller's adjustment, strictly: `"1"` is no amount. Fails with `bad_input`. */
export function parseAdjustment(input: unknown): Outcome<Adjustment> {
  const parsed = wireAdjustment.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  if (lacksFields(Object(input))) return fail("bad_input", MISSING_FIELDS);
  const problems = parsed.error.issues.map(
    (issue) => `${String(issue.path[0] ?? "the body")} ${issue.message}`,
  );
  return fail("bad_input", `Nothing was changed: ${problems.join("; ")}.`);
}

/** The form's own message where user, amount or description is empty, else null. */
export function findMissingFields(form: FormData): string | null {
  return lacksFields(Object.fromEntries(form)) ? MISSING_FIELDS : null;
}

function lacksFields(input: Record<string, unknown>): boolean {
  return ["user_id", "amount", "description"].some((name) => {
    const value = input[name];
    return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
  });
}

function toAdjustment(input: {
  user_id: string;
  amount: number;
  description: string;
  action: "add" | "deduct";
  idempotency_key?: string | null | undefined;
}) {
  return {
    userId: input.user_id,
    amount: input.amount,
    description: input.description,
    action: input.action,
    idempotencyKey: input.idempotency_key ?? null,
  };
}
