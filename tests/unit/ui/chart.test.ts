import { expect, test } from "vitest";
import { PLOT_HEIGHT } from "~/ui/chart/chart";
import { drawChart } from "~/ui/chart/draw-chart.server";

const TEXTS = {
  question: "How many?",
  answer: "Some.",
  series: [
    { name: "letters", tone: "accent" },
    { name: "postcards", tone: "pale" },
  ],
  table: { label: "Numbers", heads: ["Day", "Letters", "Postcards"] },
} as const;

function toPlaces(...rows: (number | null)[][]) {
  return rows.map((values, at) => ({ key: `${at}`, label: `Day ${at}`, title: `${values}`, values }));
}

test("bars stack their values up to the highest mark, at whole marks", () => {
  const { points, ticks, table } = drawChart({ ...TEXTS, places: toPlaces([500, 500], [0, 0], [4, 1_230]) });
  expect(ticks.map(({ label }) => label)).toEqual(["0", "500", "1,000", "1,500"]);
  const [zero, half, whole] = ticks.map(({ y }) => y);
  expect(points.map(({ ys }) => ys).slice(0, 2)).toEqual([
    [half, whole],
    [zero, zero],
  ]);
  expect(zero).toBe(PLOT_HEIGHT);
  expect(table.rows).toEqual([
    ["Day 0", "500", "500"],
    ["Day 2", "4", "1,230"],
  ]);
  const few = drawChart({ ...TEXTS, places: toPlaces([1, 0]) });
  expect(few.ticks.map(({ label }) => label)).toEqual(["0", "1"]);
});

test("at most five places are labelled, and all have their values as a title", () => {
  const places = toPlaces(...Array.from({ length: 30 }, (_, at) => [at, 1]));
  const chart = drawChart({ ...TEXTS, places });
  expect(chart.points.filter(({ label }) => label !== null)).toHaveLength(5);
  expect(chart.points.map(({ title }) => title)).toEqual(places.map(({ title }) => title));
});
