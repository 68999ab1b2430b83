import { formatInteger } from "~/platform/format-integer";
import { type ChartView, PLOT_HEIGHT } from "./chart";

const MOST_LABELS = 5;
/** About the number of marks of the vertical axis. */
const MARKS = 4;
const TOP = 14;

/** A place on the horizontal axis, and its row of the table. */
interface Place {
  key: string;
  /** Text below the base line. */
  label: string;
  title: string;
  /** A value for each series, none of them negative; null if it is missing. */
  values: readonly (number | null)[];
  /** Row of the table; null for none. By default label and values, unless all are 0. */
  cells?: readonly string[] | null;
}

type Drawn = Pick<ChartView, "question" | "answer" | "series"> & {
  table: Pick<ChartView["table"], "label" | "heads">;
  places: readonly Place[];
};

/** Draws columns of stacked values, or lines. @param format formats a mark of the vertical axis of lines */
export function drawChart(
  { places, table, ...texts }: Drawn,
  kind: ChartView["kind"] = "bars",
  format: (value: number) => string = formatInteger,
): ChartView {
  const columns = places.map(({ values }) => (kind === "bars" ? stack(values) : values));
  const marks = listMarks(Math.max(1, ...columns.flat().map(Number)), kind === "bars");
  const most = marks.at(-1) ?? 1;
  const toY = (value: number) => round(PLOT_HEIGHT - (value / most) * (PLOT_HEIGHT - TOP));
  // Few enough labels for a small screen.
  const step = Math.max(1, Math.ceil(places.length / MOST_LABELS));
  return {
    ...texts,
    kind,
    ticks: marks.map((value) => ({ y: toY(value), label: format(value) })),
    points: places.map(({ key, title, label }, at) => ({
      key,
      title,
      x: round(((at + 0.5) / places.length) * 100),
      label: at % step === 0 ? label : null,
      ys: (columns[at] ?? []).map((value) => (value === null ? null : toY(value))),
    })),
    table: { ...table, rows: places.flatMap((place) => listCells(place)) },
  };
}

function stack(values: Place["values"]): number[] {
  let sum = 0;
  return values.map((value) => {
    sum += value ?? 0;
    return sum;
  });
}

/** Lists the marks from 0 to `most` or above, at steps of 1, 2 or 5, or of tens or tenths of these. */
function listMarks(most: number, whole: boolean): number[] {
  const rough = most / MARKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((one) => rough / power < one * 1.5) ?? 10;
  const step = Math.max(power * factor, whole ? 1 : 0);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

function listCells({ label, values, cells }: Place): (readonly string[])[] {
  if (cells !== undefined) return cells === null ? [] : [cells];
  return values.some((value) => value) ? [[label, ...values.map((value) => formatInteger(value ?? 0))]] : [];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
