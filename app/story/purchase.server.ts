import type { Db } from "~/platform/database/client";
import { formatIsoDay } from "~/platform/time";

/**
 * Which credits paid for a piece when the oldest are spent first: "the purchase of 2026-11-14, 100 credits,
 * cs_test_a1B2". Null while it is not charged. The ledger is read backwards from the charge, only as far as the balance
 * of that moment reaches.
 */
export async function findPurchase(db: Db, sendId: string): Promise<string | null> {
  const rows = await db.$queryRaw<Purchase[]>`
    WITH charge AS (
      SELECT id, user_id, balance_before FROM credit_transactions WHERE cause = 'send' AND cause_key = ${sendId}
    ),
    paying AS (
      SELECT i.* FROM charge c CROSS JOIN LATERAL (
        SELECT t.*, sum(t.amount) OVER (ORDER BY t.id DESC) AS since FROM credit_transactions t
        WHERE t.user_id = c.user_id AND t.id < c.id AND t.transaction_type IN ('credit', 'purchase', 'refund')
      ) i
      WHERE i.since >= c.balance_before ORDER BY i.id DESC LIMIT 1
    )
    SELECT i.transaction_type AS type, i.amount, i.created_at AS "createdAt", s.stripe_session_id AS session
    FROM paying i LEFT JOIN checkout_sessions s ON i.cause = 'checkout' AND s.id = i.cause_key`;
  const [found] = rows;
  if (!found) return null;
  const day = formatIsoDay(found.createdAt);
  if (found.type === "purchase") {
    return `the purchase of ${day}, ${found.amount} credits${found.session ? `, ${found.session}` : ""}`;
  }
  return found.type === "refund"
    ? `credits refunded on ${day}`
    : `${found.amount} credits added by hand on ${day}`;
}

interface Purchase {
  type: string;
  amount: number;
  createdAt: Date;
  /** Stripe's id of the payment. */
  session: string | null;
}
