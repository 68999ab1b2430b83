import type { ChartView } from "~/ui/chart/chart-plot";
import type { UserChoice } from "../credit-user";

export interface SpendingView {
  name: "spending";
  users: UserChoice[];
  /** "" for all users. */
  userId: string;
  /** Why the address is not valid. */
  problem: string | null;
  /** The latest first. */
  months: (SpendingLine & { month: string; name: string; to: string; shown: boolean })[];
  /** Addresses of the lists of earlier and later months. */
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

/** Figures of a month, or of a person and kind in it, as texts; null when one is not known. */
export interface SpendingLine {
  pieces: number;
  cancelled: number;
  credits: number;
  /** Credits added by hand. */
  given: number;
  cost: string | null;
  /** Pieces whose price is not known. */
  unpriced: number;
  perCredit: string | null;
  worth: string | null;
  margin: string | null;
  /** Addresses of its pieces and its cancelled pieces; null for several people, who have no list. */
  piecesTo: string | null;
  cancelledTo: string | null;
}
