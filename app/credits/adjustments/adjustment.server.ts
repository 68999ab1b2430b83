import { randomUUID } from "node:crypto";
import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { ensureViewerStored, NO_SUCH_USER, userExists } from "~/people/stored-user.server";
import { checkAdmin, checkFresh, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatInteger } from "~/platform/format-integer";
import { idempotencyKey, parseInput, shortText } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { type CreditUser, loadCreditUser } from "../credit-users.server";
import { formatCredits } from "../format-credits";
import { type Entry, MAX_BALANCE, postEntry } from "../ledger/ledger.server";
import { AMOUNT_RANGE, MAX_ADJUSTMENT, MISSING_FIELDS } from "../messages";

const KEY_REUSED = fail(
  "key_reused",
  "This form was already used for another adjustment, so nothing more was changed. Check the history, then start again.",
);

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

type Adjustment = z.infer<typeof wireAdjustment>;

/** Parses a caller's adjustment. Strict: the text `"1"` is not an amount. */
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

/**
 * Adds or deducts credits by hand and records the person. A deduction takes at most what is available. Repeated with the same key, an
 * adjustment counts once and returns the same answer. A failure changes nothing.
 */
export async function adjustCredits(
  adjustment: Adjustment,
  viewer: Viewer,
): Promise<Outcome<{ message: string; user: CreditUser }>> {
  const allowed = checkAdmin(viewer, "adjust credits");
  if (!allowed.ok) return allowed;
  const fresh = checkFresh(viewer);
  if (!fresh.ok) return fresh;
  const entry: Entry = {
    userId: adjustment.userId,
    type: adjustment.action === "add" ? "credit" : "debit",
    amount: adjustment.amount,
    description: adjustment.description,
    actorId: viewer.actorId,
    cause: "adjustment",
    causeKey: adjustment.idempotencyKey === null ? randomUUID() : `${viewer.id}:${adjustment.idempotencyKey}`,
  };
  const posted = await withDatabase(async (db) => {
    // The ledger row names the viewer as its actor, and the viewer may be the user too.
    await ensureViewerStored(db, viewer);
    if (!(await userExists(db, entry.userId))) return NO_SUCH_USER;
    const result = await postEntry(db, entry);
    return result.kind === "repeated" && !(await isSameEntry(db, entry)) ? KEY_REUSED : result;
  });
  if (!posted.ok) return posted;
  const user = await loadCreditUser(viewer, entry.userId);
  if (!user.ok) return user;
  const { displayName } = user.value;
  if (posted.value.kind === "refused") {
    const { balance, held } = posted.value;
    const parts = held > 0 ? ` (balance ${balance}, reserved ${held})` : "";
    return adjustment.action === "add"
      ? fail(
          "bad_input",
          `A balance can have ${formatInteger(MAX_BALANCE)} credits at most. Nothing was changed.`,
        )
      : fail(
          "insufficient_credits",
          `${displayName} has ${formatCredits(balance - held)} available${parts}. Nothing was changed.`,
        );
  }
  const [done, direction] = adjustment.action === "add" ? ["added", "to"] : ["deducted", "from"];
  const message = `Successfully ${done} ${formatCredits(adjustment.amount)} ${direction} ${displayName}`;
  return succeed({ message, user: user.value });
}

async function isSameEntry(db: PrismaClient, entry: Entry): Promise<boolean> {
  const { userId, type, amount, description, cause, causeKey } = entry;
  const same = { cause, causeKey, userId, transactionType: type, amount, description };
  return (await db.creditTransaction.count({ where: same })) > 0;
}
