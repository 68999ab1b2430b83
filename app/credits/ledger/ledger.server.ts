import type { Db } from "~/platform/database/client";
import { isUniqueViolation } from "~/platform/database/outage.server";
import type { TransactionCause, TransactionType } from "./transaction";

/** A user's credits; available is `balance - held`. */
export interface Account {
  balance: number;
  /** Credits set aside for pieces that are being sent. */
  held: number;
}

/** A change of a balance and its ledger row. */
export interface Entry {
  userId: string;
  type: Exclude<TransactionType, "release" | "reserve">;
  /** Credits, a positive integer; a debit takes them away. */
  amount: number;
  description: string;
  /** A user's id, `system` or `stripe`. */
  actorId: string;
  cause: TransactionCause;
  /** Unique per cause: repeating an entry changes nothing. */
  causeKey: string;
  mailType?: string | null;
  referenceResponseId?: string | null;
}

/** `repeated`: this cause already has its row, and nothing changed. `refused`: the balance does not allow it. */
export type Posted = { kind: "posted" | "repeated" | "refused" } & Account;

/** The highest balance that an adjustment or a purchase may reach, in credits. */
export const MAX_BALANCE = 1_000_000_000;

/**
 * Changes a balance and writes its ledger row in one conditional statement, so that parallel debits cannot take more than is available. The
 * user must exist; a missing account is created.
 */
export async function postEntry(db: Db, entry: Entry): Promise<Posted> {
  const delta = entry.type === "debit" ? -entry.amount : entry.amount;
  await ensureAccount(db, entry.userId);
  try {
    const rows = await db.$queryRaw<Account[]>`
      WITH account AS (
        UPDATE credit_accounts SET balance = balance + ${delta}::int, updated_at = now()
        WHERE user_id = ${entry.userId} AND balance - held + ${delta}::int >= 0
          AND balance + ${delta}::int <= ${MAX_BALANCE}::int
          AND NOT EXISTS (SELECT 1 FROM credit_transactions
                          WHERE cause = ${entry.cause} AND cause_key = ${entry.causeKey})
        RETURNING user_id, balance, held
      ), entry AS (
        INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
          description, actor_id, cause, cause_key, mail_type, reference_response_id)
        SELECT user_id, ${entry.type}, ${entry.amount}::int, balance - ${delta}::int, balance,
          ${entry.description}, ${entry.actorId}, ${entry.cause}, ${entry.causeKey},
          ${entry.mailType ?? null}::text, ${entry.referenceResponseId ?? null}::text
        FROM account
      )
      SELECT balance, held FROM account`;
    if (rows[0]) return { kind: "posted", ...rows[0] };
  } catch (error) {
    // Another process wrote the row of this cause at the same moment.
    if (!isUniqueViolation(error)) throw error;
  }
  const account = await loadAccount(db, entry.userId);
  return { kind: (await hasEntry(db, entry)) ? "repeated" : "refused", ...account };
}

/** Loads an account; zeros when there is none. */
export async function loadAccount(db: Db, userId: string): Promise<Account> {
  const rows = await db.$queryRaw<Account[]>`
    SELECT balance, held FROM credit_accounts WHERE user_id = ${userId}`;
  return rows[0] ?? { balance: 0, held: 0 };
}

/** Creates an empty account for an existing user who has none. */
export async function ensureAccount(db: Db, userId: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO credit_accounts (user_id) SELECT id FROM users WHERE id = ${userId}
    ON CONFLICT (user_id) DO NOTHING`;
}

async function hasEntry(db: Db, { cause, causeKey }: Entry): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM credit_transactions WHERE cause = ${cause} AND cause_key = ${causeKey}`;
  return rows.length > 0;
}
