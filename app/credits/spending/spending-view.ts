import type { ChartView } from "~/ui/chart/chart-plot";
import type { UserChoice } from "../credit-user";

/** The Spending view. */
export interface SpendingView {
  name: "spending";
  users: UserChoice[];
  /** As in the address; "" for everybody. */
  userId: string;
  /** Why the address is not valid. */
  problem: string | null;
  /** The months of the list, the latest first. */
  months: (SpendingLine & { month: string; name: string; to: string; shown: boolean })[];
  /** Addresses of the lists of earlier and later months; null where there are none. */
  earlier: string | null;
  later: string | null;
  /** The chosen month by person and kind. */
  month: {
    /** `2026-10` */
    month: string;
    name: string;
    lines: (SpendingLine & { key: string; userId: string; user: string; kind: string })[];
    total: SpendingLine;
    /** "200 credits for $19.98", and the address of these purchases. */
    bought: { text: string; to: string } | null;
    days: ChartView;
  } | null;
  /** Address of the file. */
  csv: string;
  /** True when the currency of the provider's prices is known. */
  knowsCurrency: boolean;
}

/** Numbers of a month, or of a person and kind in it, as texts; null where one is not known. */
export interface SpendingLine {
  pieces: number;
  cancelled: number;
  credits: number;
  /** Those of them that were added by hand. */
  given: number;
  cost: string | null;
  /** Pieces whose price is not known. */
  unpriced: number;
  perCredit: string | null;
  worth: string | null;
  margin: string | null;
  /** Addresses of its pieces, and of the cancelled ones; null: of several people, who have no list. */
  piecesTo: string | null;
  cancelledTo: string | null;
}
