/** Positions in a chart: across in percent of its width, down in pixels. Computed on the server. */

/** Pixels from the top to the base line. */
export const PLOT_HEIGHT = 150;

/** Tones of different lightness, so that they differ without colour. */
export type ChartTone = "accent" | "pale" | "warn" | "bad" | "none" | "ink";

interface Axes {
  /** Marks of the vertical axis. */
  ticks: { y: number; label: string }[];
  /** Texts below the base line. */
  labels: { key: string; x: number; text: string; anchor: "start" | "middle" | "end" }[];
}

/** Columns, each with its series from the base line up. */
export interface BarPlot extends Axes {
  bars: { key: string; x: number; width: number; title: string; parts: { y: number; height: number }[] }[];
}

/** Lines from point to point, with gaps at missing values. */
export interface LinePlot extends Axes {
  points: { key: string; x: number; title: string; ys: (number | null)[] }[];
  lines: { x1: number; y1: number; x2: number; y2: number }[][];
}

export interface ChartSeries {
  name: string;
  tone: ChartTone;
}

/** Everything that {@link Chart} shows. */
export interface ChartView {
  question: string;
  /** One or two sentences, which screen readers read instead of the drawing. */
  answer: string;
  series: readonly ChartSeries[];
  plot: BarPlot | LinePlot;
  /** Values as a table. The first cell names its row, the others are numbers. */
  table: { label: string; heads: readonly string[]; rows: readonly (readonly string[])[] };
}
