import type { AlarmRow } from "~/alarms/alarms-view";
import type { FormattedMoment } from "~/ui/moment";
import type { CheckoutState, PurchaseFlag } from "./checkout-state";

/** A page of the list of purchases. */
export interface PurchasesView {
  /** Name of the shown group. */
  show: string;
  purchases: {
    /** Address of its page, and its name there. */
    to: string;
    title: string;
    state: CheckoutState;
    flag: PurchaseFlag | null;
    user: string;
    /** Null when people bought for themselves. */
    buyer: string | null;
    note: string | null;
    at: FormattedMoment;
  }[];
  /** Addresses of the first and the next page. */
  newest: string | null;
  older: string | null;
}

/** Address of a page of the list. @param group of `PURCHASE_GROUPS` */
export function purchasesAddress(group: string, cursor?: string): string {
  const query = new URLSearchParams({
    ...(group === "all" ? {} : { show: group }),
    ...(cursor ? { cursor } : {}),
  });
  return query.size === 0 ? "/purchases" : `/purchases?${query}`;
}

/** The page of one purchase. */
export interface PurchasePageView {
  id: string;
  state: CheckoutState;
  /** "100 credits for $9.99" */
  title: string;
  credits: number;
  price: string;
  /** "$0.0999" */
  pricePerCredit: string;
  userId: string;
  /** Whose balance it filled, and who bought it. */
  user: string;
  actor: string;
  at: FormattedMoment;
  closedAt: FormattedMoment | null;
  note: string | null;
  /** Later events at Stripe: refunds and disputes. */
  flag: PurchaseFlag | null;
  stripeSessionId: string | null;
  stripePaymentId: string | null;
  invoiceNumber: string | null;
  /** True when Stripe may know something that is not stored yet. */
  canAsk: boolean;
  /** Its row in the ledger; null until it is paid. */
  ledger: { id: number; to: string } | null;
  reports: AlarmRow[];
  uses: PurchaseUse[];
  /** Credits spent and left of it, with their part of the price. */
  spent: { credits: number; worth: string };
  left: { credits: number; worth: string };
}

/** One use of its credits. */
export interface PurchaseUse {
  ledgerId: number;
  credits: number;
  /** Their part of the price. */
  worth: string;
  at: FormattedMoment;
  what: string;
  /** Address of the piece, or of the row in the ledger. */
  to: string;
  refunded: boolean;
}
