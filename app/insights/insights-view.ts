import type { Failure } from "~/platform/outcome";
import type { BarPlot, LinePlot } from "~/ui/chart/chart-plot";

/** What became of a piece, as the chart groups it. */
export const PIECE_GROUPS = ["open", "on its way", "delivered", "returned", "cancelled"] as const;
export type PieceGroup = (typeof PIECE_GROUPS)[number];

/** What the Insights page shows. */
export interface InsightsView {
  signedIn: boolean;
  failure: Failure | null;
  content: {
    states: {
      answer: string;
      plot: BarPlot;
      weeks: { week: string; counts: Record<PieceGroup, number> }[];
    };
    delivery: {
      answer: string;
      plot: BarPlot;
      countries: { name: string; pieces: number; half: number; most: number }[];
    };
    latency: { answer: string; plot: LinePlot; days: DayOfAnswers[] };
    errors: {
      answer: string;
      plot: BarPlot;
      days: { day: string; ok: number; refused: number; failed: number }[];
    };
    spend: { answer: string; plot: BarPlot; days: { day: string; letters: number; postcards: number }[] };
  } | null;
}

/** Answers of the provider on one day. */
export interface DayOfAnswers {
  day: string;
  answers: number;
  /** Half of them took this long at most, and 95 of 100, in ms; null on a day without any. */
  half: number | null;
  slow: number | null;
}
