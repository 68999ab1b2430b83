import { VIA } from "~/people/actor";
import { Prisma } from "../../../prisma/client/client";
import { STRIPE_ACTOR } from "./transaction";

/**
 * Parts of a `WITH` statement that move credits, so that they change in one statement with the state of a piece or a checkout. A part of
 * pieces takes the name of an earlier part with the columns `id, user_id, actor_id, mail_type, cost, provider_id, credit_reservation_id`
 * of `sends`.
 */
type Part = Prisma.Sql;

/** Returns and locks one row if `userId` can pay `cost`; else none. */
export function lockPayer(userId: string, cost: number): Part {
  return Prisma.sql`
    SELECT user_id FROM credit_accounts
    WHERE user_id = ${userId} AND balance - held >= ${cost}::int FOR UPDATE`;
}

/** Holds the cost and returns the account. */
export function hold(sends: string): Part {
  return Prisma.sql`
    UPDATE credit_accounts a SET held = a.held + s.cost, updated_at = now() FROM ${Prisma.raw(sends)} s
    WHERE a.user_id = s.user_id RETURNING a.user_id, a.balance, a.held`;
}

/** Returns and locks one row if `cost` remains in an open reservation of `userId`; else none. Replaces {@link lockPayer} for a piece of a list. */
export function lockReservation(reservationId: string, userId: string, cost: number): Part {
  return Prisma.sql`
    SELECT user_id FROM credit_reservations
    WHERE id = ${reservationId} AND user_id = ${userId} AND closed_at IS NULL AND remaining >= ${cost}::int FOR UPDATE`;
}

/** Takes the cost from its reservation, where it was held already. Returns the account. */
export function holdReserved(sends: string): Part {
  return Prisma.sql`
    UPDATE credit_reservations r SET remaining = r.remaining - s.cost
    FROM ${Prisma.raw(sends)} s JOIN credit_accounts a ON a.user_id = s.user_id
    WHERE r.id = s.credit_reservation_id RETURNING a.user_id, a.balance, a.held`;
}

/** Returns a held cost to its reservation while that is open, with the reservation's id. {@link release} comes next. */
export function returnToReservation(sends: string): Part {
  return Prisma.sql`
    UPDATE credit_reservations r SET remaining = r.remaining + s.cost FROM ${Prisma.raw(sends)} s
    WHERE r.id = s.credit_reservation_id AND r.closed_at IS NULL RETURNING r.id`;
}

/** Releases a held cost unless the part `returned` put it into its reservation. Returns the account. */
export function release(sends: string, returned: string): Part {
  return Prisma.sql`
    UPDATE credit_accounts a SET updated_at = now(),
      held = a.held - CASE WHEN EXISTS (SELECT 1 FROM ${Prisma.raw(returned)}) THEN 0 ELSE s.cost END
    FROM ${Prisma.raw(sends)} s WHERE a.user_id = s.user_id RETURNING a.user_id, a.balance, a.held`;
}

/** Charges a held cost and returns the account. */
export function charge(sends: string): Part {
  return Prisma.sql`
    UPDATE credit_accounts a SET balance = a.balance - s.cost, held = a.held - s.cost,
      total_spent = a.total_spent + s.cost, updated_at = now()
    FROM ${Prisma.raw(sends)} s WHERE a.user_id = s.user_id RETURNING a.user_id, a.balance, a.held`;
}

/** Charges `charged` without a hold, for a test that the provider mailed. */
export function chargeAvailable(sends: string): Part {
  return Prisma.sql`
    UPDATE credit_accounts a SET balance = a.balance - s.charged, total_spent = a.total_spent + s.charged,
      updated_at = now()
    FROM ${Prisma.raw(sends)} s WHERE a.user_id = s.user_id AND s.charged > 0
    RETURNING a.user_id, a.balance, a.held`;
}

/** Writes the one debit of a piece. `account` is the part that charged it, `amount` a column of `sends`. */
export function writeDebit(
  sends: string,
  account: string,
  amount: "cost" | "charged",
  actorId: string | null = null,
): Part {
  const column = Prisma.raw(`s.${amount}`);
  return Prisma.sql`
    INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
      description, actor_id, cause, cause_key, mail_type, reference_response_id)
    SELECT a.user_id, 'debit', ${column}, a.balance + ${column}, a.balance,
      initcap(s.mail_type) || coalesce(' ' || s.provider_id, '') || ' mailed',
      coalesce(${actorId}::text, s.actor_id), 'send', s.id, s.mail_type, s.id
    FROM ${Prisma.raw(account)} a JOIN ${Prisma.raw(sends)} s ON s.user_id = a.user_id`;
}

/** Writes the ledger row of a person's decision that a held piece was not mailed. It moves no credits. */
export function writeRelease(sends: string, account: string, actorId: string, description: string): Part {
  return Prisma.sql`
    INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
      description, actor_id, cause, cause_key, mail_type, reference_response_id)
    SELECT a.user_id, 'release', 0, a.balance, a.balance, ${description}, ${actorId}, 'review', s.id,
      s.mail_type, s.id
    FROM ${Prisma.raw(account)} a JOIN ${Prisma.raw(sends)} s ON s.user_id = a.user_id`;
}

/** Refunds what was charged and returns the account. */
export function refund(sends: string): Part {
  return Prisma.sql`
    UPDATE credit_accounts a SET balance = a.balance + s.charged, total_spent = a.total_spent - s.charged,
      updated_at = now()
    FROM ${Prisma.raw(sends)} s WHERE a.user_id = s.user_id RETURNING a.user_id, a.balance, a.held`;
}

/** Writes the one refund of a piece; no row when nothing was charged. */
export function writeRefund(sends: string, account: string): Part {
  return Prisma.sql`
    INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
      description, actor_id, cause, cause_key, mail_type, reference_response_id)
    SELECT a.user_id, 'refund', s.charged, a.balance - s.charged, a.balance,
      initcap(s.mail_type) || coalesce(' ' || s.provider_id, '') || ' cancelled', s.cancel_actor_id, 'refund', s.id,
      s.mail_type, s.id
    FROM ${Prisma.raw(account)} a JOIN ${Prisma.raw(sends)} s ON s.user_id = a.user_id WHERE s.charged > 0`;
}

/** Adds the credits of a purchase. `checkouts` is a part with the columns `id, user_id, actor_id, credits, amount_cents, currency`. */
export function addPurchased(checkouts: string): Part {
  return Prisma.sql`
    UPDATE credit_accounts a SET balance = a.balance + c.credits, updated_at = now()
    FROM ${Prisma.raw(checkouts)} c WHERE a.user_id = c.user_id RETURNING a.user_id, a.balance`;
}

/** Writes the one ledger row of a purchase. The actor is the token when a program began it. `account` added the credits. */
export function writePurchase(checkouts: string, account: string): Part {
  return Prisma.sql`
    INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
      description, actor_id, cause, cause_key)
    SELECT c.user_id, 'purchase', c.credits, a.balance - c.credits, a.balance,
      format('%s credits bought for %s %s', c.credits, (c.amount_cents / 100.0)::numeric(12, 2), upper(c.currency)),
      CASE WHEN position(${VIA} IN c.actor_id) > 0 THEN c.actor_id ELSE ${STRIPE_ACTOR} END, 'checkout', c.id
    FROM ${Prisma.raw(checkouts)} c JOIN ${Prisma.raw(account)} a ON a.user_id = c.user_id
    RETURNING cause_key AS id`;
}
