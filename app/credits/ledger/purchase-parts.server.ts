import { VIA } from "~/people/actor";
import { Prisma } from "../../../prisma/client/client";
import { STRIPE_ACTOR } from "./transaction";

/**
 * Parts of a `WITH` statement that book a purchase, so that a checkout closes and its credits are added in one statement. Each takes the name
 * of an earlier part with the columns `id, user_id, actor_id, credits, amount_cents, currency` of the checkouts.
 */
type Part = Prisma.Sql;

/** Adds the credits and returns the account. */
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
