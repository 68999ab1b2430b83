import type { Db } from "~/platform/database/client";
import { cutParts, type PaidPart } from "./paid-with";

/** A refunded credit may be spent and refunded repeatedly; tracing stops after this number of rounds. */
const MOST_ROUNDS = 12;

interface UsedLot {
  ledgerId: bigint;
  type: "purchase" | "credit" | "refund";
  credits: number;
  at: Date;
  causeKey: string;
  used: number;
  /** Credits of it that were used before. */
  skipped: number;
}

/**
 * Finds the credits that paid for a piece, the oldest first; none while it is not charged. First in, first out: a debit takes from the
 * front of the account's queue, and refunded credits return to its end. The balance before a row is the length of the queue, so both
 * queries of this file read at most that number of rows.
 * @param sendId of the piece
 */
export async function findPaidWith(db: Db, sendId: string, round = 0): Promise<PaidPart[]> {
  const lots = await db.$queryRaw<UsedLot[]>`
    WITH charge AS (
      SELECT id, user_id, amount, balance_before AS queue FROM credit_transactions
      WHERE cause = 'send' AND cause_key = ${sendId}
    ), came AS (
      SELECT l.*, sum(l.amount) OVER (ORDER BY l.id DESC) AS reach, c.amount AS taken, c.queue
      FROM charge c CROSS JOIN LATERAL (
        SELECT t.id, t.transaction_type, t.amount, t.created_at, t.cause_key FROM credit_transactions t
        WHERE t.user_id = c.user_id AND t.id < c.id AND t.transaction_type IN ('credit', 'purchase', 'refund')
        ORDER BY t.id DESC LIMIT c.queue
      ) l
    )
    SELECT id AS "ledgerId", transaction_type AS type, amount AS credits, created_at AS at, cause_key AS "causeKey",
      (least(reach, queue) - greatest(reach - amount, queue - taken))::int AS used,
      greatest(reach - queue, 0)::int AS skipped
    FROM came WHERE reach > queue - taken AND reach - amount < queue ORDER BY id`;
  const parts = await Promise.all(lots.map((lot) => traceLot(db, lot, round)));
  return parts.flat();
}

async function traceLot(db: Db, lot: UsedLot, round: number): Promise<PaidPart[]> {
  const { type, credits, at, causeKey, used, skipped } = lot;
  const ledgerId = Number(lot.ledgerId);
  if (type === "refund" && round < MOST_ROUNDS) {
    const earlier = await findPaidWith(db, causeKey, round + 1);
    const parts = cutParts(earlier, skipped, used);
    if (parts.length > 0) return parts.map((part) => ({ ...part, refundedAt: at }));
  }
  const checkoutId = type === "purchase" ? causeKey : null;
  const from = { ledgerId, type: type === "purchase" ? type : ("credit" as const), credits, at, checkoutId };
  return [{ credits: used, from, refundedAt: null }];
}

/** A use of a row's credits: a piece, or a deduction by hand. */
export interface Use {
  ledgerId: number;
  /** Credits of that row alone. */
  credits: number;
  at: Date;
  /** Null for a deduction by hand. */
  pieceId: string | null;
  mailType: string | null;
  addressee: string | null;
  description: string;
  /** True when the credits were refunded. */
  refunded: boolean;
}

/**
 * Lists the uses of a ledger row's credits, the first use first; at most as many as it has credits.
 * @param ledgerId of a purchase, an adjustment or a refund
 */
export function listUses(db: Db, ledgerId: bigint): Promise<Use[]> {
  return db.$queryRaw<Use[]>`
    WITH came AS (
      SELECT id, user_id, balance_before AS low, balance_before + amount AS high FROM credit_transactions
      WHERE id = ${ledgerId}::bigint
    ), spent AS (
      SELECT d.*, sum(d.amount) OVER (ORDER BY d.id) AS reach, c.low, c.high
      FROM came c CROSS JOIN LATERAL (
        SELECT t.* FROM (
          SELECT id FROM credit_transactions WHERE user_id = c.user_id AND id > c.id ORDER BY id OFFSET 0
        ) own JOIN credit_transactions t ON t.id = own.id
        WHERE t.transaction_type = 'debit' ORDER BY t.id LIMIT c.high
      ) d
    )
    SELECT s.id::float8 AS "ledgerId", (least(s.reach, s.high) - greatest(s.reach - s.amount, s.low))::int AS credits,
      s.created_at AS at, s.reference_response_id AS "pieceId", s.mail_type AS "mailType", i.addressee, s.description,
      EXISTS (SELECT 1 FROM credit_transactions r WHERE r.cause = 'refund' AND r.cause_key = s.cause_key) AS refunded
    FROM spent s LEFT JOIN mail_items i ON i.id = s.reference_response_id
    WHERE s.reach > s.low AND s.reach - s.amount < s.high ORDER BY s.id`;
}
