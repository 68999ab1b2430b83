import type { AlarmRow } from "~/alarms/alarms-view";
import type { FormattedMoment } from "~/ui/moment";
import type { CheckoutState, PurchaseFlag } from "./checkout-state";

/** A page of the list of purchases. */
export interface PurchasesView {
  /** Name of the shown group. */
  show: string;
  purchases: {
    /** Address and title of its page. */
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
  /** The user who got the credits, and the buyer. */
  user: string;
  actor: string;
  at: FormattedMoment;
  closedAt: FormattedMoment | null;
  note: string | null;
  /** Later event at Stripe: a refund or dispute. */
  flag: PurchaseFlag | null;
  stripeSessionId: string | null;
  stripePaymentId: string | null;
  invoiceNumber: string | null;
  /** True when Stripe may know something that is not stored yet. */
  canAsk: boolean;
  /** Its ledger row; null until it is paid. */
  ledger: { id: number; to: string } | null;
  reports: AlarmRow[];
  uses: PurchaseUse[];
  /** Credits spent and left, with their part of the price. */
  spent: { credits: number; worth: string };
  left: { credits: number; worth: string };
}

/** A use of its credits. */
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
