/** Where the parts of a chart are: across in percent of its width, down in pixels. Made on the server. */

/** Pixels from the top to the base line. */
export const PLOT_HEIGHT = 150;

/** The tones differ in lightness, so that they can be told apart without colour. */
export type ChartTone = "accent" | "pale" | "warn" | "bad" | "none" | "ink";

interface Axes {
  /** Marks of the vertical axis. */
  ticks: { y: number; label: string }[];
  /** Below the base line. */
  labels: { key: string; x: number; text: string; anchor: "start" | "middle" | "end" }[];
}

/** Columns, each with its series from the base line up. */
export interface BarPlot extends Axes {
  bars: { key: string; x: number; width: number; title: string; parts: { y: number; height: number }[] }[];
}

/** Lines from point to point; a gap where nothing was measured. */
export interface LinePlot extends Axes {
  points: { key: string; x: number; title: string; ys: (number | null)[] }[];
  lines: { x1: number; y1: number; x2: number; y2: number }[][];
}

export interface ChartSeries {
  name: string;
  tone: ChartTone;
}

/** A chart that answers a question: everything {@link Chart} shows. */
export interface ChartView {
  question: string;
  /** In one or two sentences; also what a screen reader reads instead of the drawing. */
  answer: string;
  series: readonly ChartSeries[];
  plot: BarPlot | LinePlot;
  /** The values as a table. The first cell names its row, the others are numbers. */
  table: { label: string; heads: readonly string[]; rows: readonly (readonly string[])[] };
}
