import type { Db } from "~/platform/database/client";
import { isUniqueViolation } from "~/platform/database/outage.server";
import { formatCredits } from "../format-credits";
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
}

/** The highest balance that an adjustment or a purchase may reach, in credits. */
export const MAX_BALANCE = 1_000_000_000;

/**
 * Changes a balance and writes its ledger row in one conditional statement, so that parallel debits cannot take more than is available. The
 * user must exist; a missing account is created. Returns the account with `repeated` if this cause already has its row, or `refused` if the
 * balance does not allow it; nothing changed then.
 */
export async function postEntry(
  db: Db,
  entry: Entry,
): Promise<{ kind: "posted" | "repeated" | "refused" } & Account> {
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
          description, actor_id, cause, cause_key)
        SELECT user_id, ${entry.type}, ${entry.amount}::int, balance - ${delta}::int, balance,
          ${entry.description}, ${entry.actorId}, ${entry.cause}, ${entry.causeKey}
        FROM account
      )
      SELECT balance, held FROM account`;
    if (rows[0]) return { kind: "posted", ...rows[0] };
  } catch (error) {
    // Another process wrote the row of this cause at the same moment.
    if (!isUniqueViolation(error)) throw error;
  }
  const account = await loadAccount(db, entry.userId);
  const known = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM credit_transactions WHERE cause = ${entry.cause} AND cause_key = ${entry.causeKey}`;
  return { kind: known.length > 0 ? "repeated" : "refused", ...account };
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

/** Credits set aside for many pieces. Each takes its cost and returns it when it is refused. Closing releases the rest. */
interface NewReservation {
  id: string;
  userId: string;
  actorId: string;
  /** Null when approval was not required. */
  approvedBy: string | null;
  /** Credits, a positive integer. */
  amount: number;
  /** Its purpose in the ledger: `list "Spring customers"`. */
  purpose: string;
}

/** Reserves credits in one conditional statement, with its ledger row. Null when the account has too few, or when this reservation exists. */
export async function openReservation(db: Db, reservation: NewReservation): Promise<Account | null> {
  const { id, userId, actorId, approvedBy, amount, purpose } = reservation;
  const rows = await db.$queryRaw<Account[]>`
    WITH account AS (
      UPDATE credit_accounts SET held = held + ${amount}::int, updated_at = now()
      WHERE user_id = ${userId} AND balance - held >= ${amount}::int
        AND NOT EXISTS (SELECT 1 FROM credit_reservations WHERE id = ${id})
      RETURNING user_id, balance, held
    ),
    fresh AS (
      INSERT INTO credit_reservations (id, user_id, actor_id, approved_by, amount, remaining, purpose)
      SELECT ${id}, user_id, ${actorId}, ${approvedBy}::text, ${amount}::int, ${amount}::int, ${purpose} FROM account
    ),
    entry AS (
      INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
        description, actor_id, cause, cause_key)
      SELECT user_id, 'reserve', 0, balance, balance, ${`${formatCredits(amount)} reserved for ${purpose}`},
        ${actorId}, 'reservation', ${id} FROM account
    )
    SELECT balance, held FROM account`;
  return rows[0] ?? null;
}

/** Closes a reservation and releases what remains. Returns the credits released; null when it was closed before. */
export async function closeReservation(db: Db, id: string, actorId: string): Promise<number | null> {
  // Locked first, in the order of all statements that touch both, so that `remaining` is current.
  const rows = await db.$queryRaw<{ released: number }[]>`
    WITH last AS (
      SELECT id, user_id, remaining, purpose FROM credit_reservations WHERE id = ${id} AND closed_at IS NULL FOR UPDATE
    ),
    closed AS (
      UPDATE credit_reservations r SET remaining = 0, closed_at = clock_timestamp() FROM last WHERE r.id = last.id
    ),
    account AS (
      UPDATE credit_accounts a SET held = a.held - last.remaining, updated_at = now()
      FROM last WHERE a.user_id = last.user_id RETURNING a.user_id, a.balance, last.remaining, last.purpose
    ),
    entry AS (
      INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
        description, actor_id, cause, cause_key)
      SELECT user_id, 'release', 0, balance, balance,
        trim(to_char(remaining, '999,999,990')) || CASE remaining WHEN 1 THEN ' credit' ELSE ' credits' END
          || ' released that were reserved for ' || purpose,
        ${actorId}, 'reservation_end', ${id} FROM account
    )
    SELECT remaining AS released FROM account`;
  return rows[0]?.released ?? null;
}

/** Loads the reserved credits that no piece has taken; 0 for a closed or unknown reservation. */
export async function loadRemaining(db: Db, id: string): Promise<number> {
  const rows = await db.$queryRaw<{ remaining: number }[]>`
    SELECT remaining FROM credit_reservations WHERE id = ${id}`;
  return rows[0]?.remaining ?? 0;
}
