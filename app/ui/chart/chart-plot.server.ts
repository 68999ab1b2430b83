import { scaleBand, scaleLinear, scalePoint } from "d3-scale";
import { stack } from "d3-shape";
import { type BarPlot, type LinePlot, PLOT_HEIGHT } from "./chart-plot";

/** Computes charts on the server, so that the browser loads no code for it. */

const MOST_LABELS = 5;
const MOST_TICKS = 4;
/** Space for the highest mark. */
const TOP = 14;

interface Place {
  key: string;
  /** Text below the base line. */
  label: string;
  /** All values in words. */
  title: string;
}

/** Plots columns of stacked values, none of them negative. */
export function plotBars(bars: (Place & { values: readonly number[] })[]): BarPlot {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const { ticks, toY } = planHeight(sums, (value) => value.toLocaleString("en"), true);
  const across = scaleBand()
    .domain(bars.map(({ key }) => key))
    .range([0, 100])
    .paddingInner(0.3)
    .paddingOuter(0.15);
  const width = across.bandwidth();
  const orders = [...(bars[0]?.values.keys() ?? [])];
  const layers = stack<(typeof bars)[number], number>()
    .keys(orders)
    .value((bar, order) => bar.values[order] ?? 0)(bars);
  return {
    ticks,
    labels: chooseLabels(bars, (key) => (across(key) ?? 0) + width / 2),
    bars: bars.map(({ key, title }, index) => ({
      key,
      title,
      x: round(across(key) ?? 0),
      width: round(width),
      parts: layers.map((layer) => {
        const [low = 0, high = 0] = layer[index] ?? [];
        return { y: toY(high), height: round(toY(low) - toY(high)) };
      }),
    })),
  };
}

/** Plots lines through values that may be missing. @param format formats a mark of the vertical axis */
export function plotLines(
  points: (Place & { values: readonly (number | null)[] })[],
  format: (value: number) => string,
): LinePlot {
  const known = points.flatMap(({ values }) => values.filter((value) => value !== null));
  const { ticks, toY } = planHeight(known, format, false);
  const across = scalePoint()
    .domain(points.map(({ key }) => key))
    .range([0, 100])
    .padding(0.5);
  const placed = points.map(({ key, title, values }) => ({
    key,
    title,
    x: round(across(key) ?? 0),
    ys: values.map((value) => (value === null ? null : toY(value))),
  }));
  const orders = [...(points[0]?.values.keys() ?? [])];
  return {
    ticks,
    labels: chooseLabels(points, (key) => across(key) ?? 0),
    points: placed,
    lines: orders.map((order) =>
      placed.slice(1).flatMap(({ x, ys }, index) => {
        const before = placed[index];
        const [y1, y2] = [before?.ys[order] ?? null, ys[order] ?? null];
        return before && y1 !== null && y2 !== null ? [{ x1: before.x, y1, x2: x, y2 }] : [];
      }),
    ),
  };
}

function planHeight(values: readonly number[], format: (value: number) => string, whole: boolean) {
  const scale = scaleLinear()
    .domain([0, Math.max(...values, 1)])
    .nice(MOST_TICKS)
    .range([PLOT_HEIGHT, TOP]);
  const toY = (value: number) => round(scale(value));
  const marks = scale.ticks(MOST_TICKS).filter((value) => !whole || Number.isInteger(value));
  return { toY, ticks: marks.map((value) => ({ y: toY(value), label: format(value) })) };
}

/** Chooses evenly spaced labels that fit on a small screen. */
function chooseLabels(places: readonly Place[], toX: (key: string) => number): BarPlot["labels"] {
  const step = Math.max(1, Math.ceil(places.length / MOST_LABELS));
  return places.flatMap(({ key, label }, index) => {
    if (index % step !== 0) return [];
    const x = toX(key);
    return [{ key, x: round(x), text: label, anchor: x < 6 ? "start" : x > 94 ? "end" : "middle" }] as const;
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
