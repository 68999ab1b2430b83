/** A chart as the server draws it: across in percent of its width, down in pixels. */

/** Pixels from the top to the base line. */
export const PLOT_HEIGHT = 150;

/** Tones of different lightness, so that they differ without colour. */
export type ChartTone = "accent" | "pale" | "warn" | "bad" | "none" | "ink";

interface ChartSeries {
  name: string;
  tone: ChartTone;
}

interface PlotPoint {
  key: string;
  /** All values in words. */
  title: string;
  x: number;
  /** Text below the base line; null for none. */
  label: string | null;
  /** Heights of the series: the top of each part of a bar, or the points of lines, with gaps at missing values. */
  ys: (number | null)[];
}

/** Everything that `Chart` shows. */
export interface ChartView {
  question: string;
  /** One or two sentences, which screen readers read instead of the drawing. */
  answer: string;
  kind: "bars" | "lines";
  series: readonly ChartSeries[];
  /** Marks of the vertical axis. */
  ticks: { y: number; label: string }[];
  points: PlotPoint[];
  /** Values as a table. The first cell names its row, the others are numbers. */
  table: { label: string; heads: readonly string[]; rows: (readonly string[])[] };
}
