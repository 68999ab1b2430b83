import type { AlarmRow } from "~/alarms/alarms-view";
import type { FormattedMoment } from "~/ui/moment";
import type { CheckoutState } from "./checkout-state";

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
  flag: "refunded" | "disputed" | null;
  stripeSessionId: string | null;
  stripePaymentId: string | null;
  /** True when Stripe may know something that is not stored yet. */
  canAsk: boolean;
  /** Its row in the ledger; null until it is paid. */
  ledger: { id: number; to: string } | null;
  reports: AlarmRow[];
  uses: PurchaseUse[];
  /** Credits spent and left of it. */
  spent: number;
  left: number;
}

/** One use of its credits. */
export interface PurchaseUse {
  ledgerId: number;
  credits: number;
  at: FormattedMoment;
  what: string;
  /** Address of the piece, or of the row in the ledger. */
  to: string;
  refunded: boolean;
}
