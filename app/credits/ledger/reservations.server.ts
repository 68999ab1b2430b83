import type { Db } from "~/platform/database/client";
import { formatCredits } from "../format-credits";
import type { Account } from "./ledger.server";

/**
 * Credits set aside for many pieces before they are sent. Each piece takes its cost from them and returns it when it is refused. Closing
 * releases the rest.
 */
export interface NewReservation {
  id: string;
  /** The payer. */
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
