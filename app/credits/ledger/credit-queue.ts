/** The price of credits that waited in a queue, first in, first out. Amounts are in the smallest unit of the currency. */

/** A purchase. */
interface Purchase {
  amountCents: number;
  credits: number;
}

/** The price of some credits. */
export interface Worth {
  /** In whole units: the parts of a purchase add up to its price. */
  worth: number;
  /** The same before rounding, for the price of one credit. */
  exact: number;
  /** Credits that were added by hand, which have no price. */
  given: number;
}

/** The price of a purchase's credits after the first `from`, up to `to`. Parts of a purchase add up to its price. */
export function priceOfPart({ amountCents, credits }: Purchase, from: number, to: number): number {
  const upTo = (count: number) => Math.round((count * amountCents) / credits);
  return upTo(to) - upTo(from);
}

/** Credits that came from one purchase, or by hand, and stand next to each other in the queue. */
interface Part {
  /** Its first place in the queue. */
  start: number;
  credits: number;
  source: Purchase | null;
  /** How many of the purchase's credits come before these. */
  skipped: number;
  /** All credits before it. */
  before: Worth;
}

/** A charge, by its ledger row. */
export interface Charge {
  ledgerId: number;
  /** The length of the queue then. */
  balanceBefore: number;
  credits: number;
}

/** All credits of an account in the order in which they came. What is refunded comes back at the end. */
export class CreditQueue {
  private readonly parts: Part[] = [];
  private readonly came: { ledgerId: number; start: number }[] = [];
  private length = 0;

  /** Adds a ledger row. Rows come in the order of their ids. @param from the purchase, or the charge that is refunded */
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

  /** The price of a charge's credits. */
  worthOf(charge: Charge): Worth {
    const start = this.placeOf(charge);
    return subtract(this.until(start + charge.credits), this.until(start));
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
    if (!part) return { worth: 0, exact: 0, given: 0 };
    const { source, skipped, before } = part;
    const count = place - part.start;
    if (source === null) return { ...before, given: before.given + count };
    return {
      worth: before.worth + priceOfPart(source, skipped, skipped + count),
      exact: before.exact + (count * source.amountCents) / source.credits,
      given: before.given,
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

function subtract(from: Worth, other: Worth): Worth {
  return {
    worth: from.worth - other.worth,
    exact: from.exact - other.exact,
    given: from.given - other.given,
  };
}
