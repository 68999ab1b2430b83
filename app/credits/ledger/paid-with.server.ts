import type { Db } from "~/platform/database/client";
import { formatInteger } from "~/platform/format-integer";
import { formatDate } from "~/ui/moment";
import { formatCredits } from "../format-credits";
import { ledgerAddress, purchaseAddress } from "./transaction";

/** Credits of one ledger row that one charge used. */
export interface PaidPart {
  credits: number;
  /** The row that they first came with; refunds are traced back to it. */
  from: {
    ledgerId: number;
    type: "purchase" | "credit";
    /** All credits of that row. */
    credits: number;
    at: Date;
    /** Null unless it is a purchase. */
    checkoutId: string | null;
  };
  /** When they were last refunded for a cancelled piece; null when they were not spent before. */
  refundedAt: Date | null;
}

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

/** Cuts `take` credits after the first `skip` out of parts, in order. */
export function cutParts(parts: readonly PaidPart[], skip: number, take: number): PaidPart[] {
  let before = 0;
  return parts.flatMap((part) => {
    const start = Math.max(before, skip);
    before += part.credits;
    const credits = Math.min(before, skip + take) - start;
    return credits > 0 ? [{ ...part, credits }] : [];
  });
}

/** "1 credit of the purchase of 14 Nov 2026" */
export function formatPaidPart({ credits, from, refundedAt }: PaidPart): string {
  const day = formatDate(from.at);
  const source =
    from.type === "purchase"
      ? `the purchase of ${day}`
      : `${formatInteger(from.credits)} added by hand on ${day}`;
  const again = refundedAt ? ` (refunded on ${formatDate(refundedAt)} and spent again)` : "";
  return `${formatCredits(credits)} of ${source}${again}`;
}

export function paidPartAddress({ from }: PaidPart): string {
  return from.checkoutId === null ? ledgerAddress(from.ledgerId) : purchaseAddress(from.checkoutId);
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
  refunded: boolean;
}

/** Lists the uses of the credits of a purchase, adjustment or refund, the first use first; at most as many as it has credits. */
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

/** Amounts are in the smallest unit of the currency. */
type Purchase = { amountCents: number; credits: number };

/** The price of some credits. */
export interface Worth {
  /** Rounded, so that the parts of a purchase add up to its price. */
  worth: number;
  /** Not rounded, for the price of one credit. */
  exact: number;
  /** Credits added by hand, which have no price. */
  byHand: number;
}

/** Computes the price of a purchase's credits after the first `from`, up to `to`. Parts of a purchase add up to its price. */
export function priceOfPart({ amountCents, credits }: Purchase, from: number, to: number): number {
  const upTo = (count: number) => Math.round((count * amountCents) / credits);
  return upTo(to) - upTo(from);
}

/** Neighbouring credits of one purchase, or added by hand. */
interface Part {
  /** Place of its first credit in the queue. */
  start: number;
  credits: number;
  source: Purchase | null;
  /** Number of the purchase's credits before these. */
  skipped: number;
  /** The price of all credits before it. */
  before: Worth;
}

/** A charge, by its ledger row. */
export interface Charge {
  ledgerId: number;
  /** The length of the queue before the charge. */
  balanceBefore: number;
  credits: number;
}

/** The price of an account's credits, first in, first out. Refunded credits return to the end. */
export class CreditQueue {
  private readonly parts: Part[] = [];
  private readonly came: { ledgerId: number; start: number }[] = [];
  private length = 0;

  /** Adds a ledger row, in the order of ids. @param from the purchase, or the charge that is refunded */
  add(ledgerId: number, credits: number, from: { purchase: Purchase } | { refunded: Charge } | null): void {
    this.came.push({ ledgerId, start: this.length });
    if (from === null) this.append(credits, null, 0);
    else if ("purchase" in from) this.append(credits, from.purchase, 0);
    else {
      const start = this.placeOf(from.refunded);
      for (let place = start; place < start + credits; ) {
        const part = this.parts[countLeading(this.parts, ({ start: first }) => first <= place) - 1];
        if (!part) break;
        const offset = place - part.start;
        const count = Math.min(part.credits - offset, start + credits - place);
        this.append(count, part.source, part.skipped + offset);
        place += count;
      }
    }
  }

  worthOf(charge: Charge): Worth {
    const start = this.placeOf(charge);
    const [from, to] = [this.until(start), this.until(start + charge.credits)];
    return { worth: to.worth - from.worth, exact: to.exact - from.exact, byHand: to.byHand - from.byHand };
  }

  private append(credits: number, source: Purchase | null, skipped: number): void {
    this.parts.push({ start: this.length, credits, source, skipped, before: this.until(this.length) });
    this.length += credits;
  }

  /** The place of a charge's first credit. */
  private placeOf({ ledgerId, balanceBefore }: Charge): number {
    const next = this.came[countLeading(this.came, (row) => row.ledgerId < ledgerId)];
    return (next?.start ?? this.length) - balanceBefore;
  }

  /** The price of the first `place` credits. */
  private until(place: number): Worth {
    const part = this.parts[countLeading(this.parts, ({ start }) => start < place) - 1];
    if (!part) return { worth: 0, exact: 0, byHand: 0 };
    const { source, skipped, before } = part;
    const count = place - part.start;
    if (source === null) return { ...before, byHand: before.byHand + count };
    return {
      worth: before.worth + priceOfPart(source, skipped, skipped + count),
      exact: before.exact + (count * source.amountCents) / source.credits,
      byHand: before.byHand,
    };
  }
}

/** Counts the first items of a sorted list for which this is true. */
function countLeading<T>(list: readonly T[], isBefore: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
