/** Amounts are in the smallest unit of the currency. */
interface Purchase {
  amountCents: number;
  credits: number;
}

/** The price of some credits. */
export interface Worth {
  /** Rounded, so that the parts of a purchase add up to its price. */
  worth: number;
  /** Not rounded, for the price of one credit. */
  exact: number;
  /** Credits added by hand, which have no price. */
  given: number;
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
