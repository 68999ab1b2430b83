import type { AlarmRow } from "~/alarms/alarms-view";
import type { FormattedMoment } from "~/ui/moment";
import type { CheckoutState } from "./checkout-state";

/** What the page of one purchase shows. */
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
  /** What became of it at Stripe after it was paid. */
  flag: "refunded" | "disputed" | null;
  stripeSessionId: string | null;
  stripePaymentId: string | null;
  /** Whether Stripe can tell something that is not stored yet. */
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
