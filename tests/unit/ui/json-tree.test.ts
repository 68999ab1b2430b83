import { describe, expect, test } from "vitest";
import { type ExactJson, parseExact } from "~/ui/json/exact-json";
import { findTable, listColumns, sortRows, toCells, writeCell } from "~/ui/json/json-table";
import { findRows, listAncestors, listRows, MOST_FOUND, toRoot, writePath } from "~/ui/json/tree-rows";
import { readOwnMs } from "../../support/own-time";

const ANSWER = toExact({
  success: true,
  data: [
    { id: 2, city: "Zürich", to: { "first name": "Ana" } },
    { id: 10, city: "=1+1", to: { "first name": "Bo" } },
    { id: 1, note: null },
  ],
});
const DATA = row("Bo").parent?.parent?.parent?.value as ExactJson[];
const CELLS = DATA.map(toCells);

function toExact(value: unknown): ExactJson {
  return parseExact(JSON.stringify(value)) as ExactJson;
}

function row(words: string) {
  const [found] = findRows(toRoot(ANSWER), words);
  if (!found) throw new Error(words);
  return found;
}

describe("an answer as lines", () => {
  test("is open down to a level, except for nodes that were opened or closed", () => {
    const root = toRoot(ANSWER);
    expect(listRows(root, { level: 1, changed: new Map() })).toHaveLength(3);
    expect(listRows(root, { level: 1, changed: new Map([[DATA, true]]) })).toHaveLength(6);
    expect(listRows(root, { level: 9, changed: new Map([[DATA, false]]) })).toHaveLength(3);
  });

  test("is found in names and values, in folded lines, in any case", () => {
    expect(findRows(toRoot(ANSWER), "ZÜR")).toHaveLength(1);
    expect(findRows(toRoot(ANSWER), "first NAME")).toHaveLength(2);
    expect(findRows(toRoot(ANSWER), "10")).toHaveLength(1);
    expect(listAncestors(row("Bo"))).toEqual([row("Bo").parent?.value, DATA[1], DATA, ANSWER]);
  });

  test("has a JSONPath for each line, also below a filter's result", () => {
    expect(writePath(row("Bo"))).toBe("$.data[1].to['first name']");
    const filter = { path: "$.data[?@.id > 9]", found: ["$.data[1]"] };
    const result = { ...toRoot([DATA[1] as ExactJson]), filter };
    const [found] = findRows(result, "Bo");
    expect(found && writePath(found)).toBe("$.data[1].to['first name']");
    expect(listRows(result, { level: 1, changed: new Map() }).map(writePath)).toEqual([
      "$.data[?@.id > 9]",
      "$.data[1]",
    ]);
  });

  test("of 100,000 values, or nested 5,000 deep, is listed and searched without delay", () => {
    const large = toExact(Array.from({ length: 25_000 }, (_, id) => ({ id, city: `City ${id}`, ok: true })));
    const deep = parseExact(`${'{"a":['.repeat(5_000)}"end"${"]}".repeat(5_000)}`) as ExactJson;
    const all = { level: Number.POSITIVE_INFINITY, changed: new Map() };
    const begun = readOwnMs();
    expect(listRows(toRoot(large), all)).toHaveLength(100_001);
    expect(findRows(toRoot(large), "city")).toHaveLength(MOST_FOUND);
    expect(findRows(toRoot(large), "nowhere")).toHaveLength(0);
    expect(listRows(toRoot(deep), all)).toHaveLength(10_001);
    expect(findRows(toRoot(deep), "end")).toHaveLength(1);
    expect(readOwnMs() - begun).toBeLessThan(10_000);
  });
});

test("a list as a table has the columns of all rows, sorts numbers by size, and leaves empty cells last", () => {
  expect(findTable(toRoot(ANSWER))?.value).toBe(DATA);
  expect(listColumns(CELLS)).toEqual(["id", "city", "to", "note"]);
  const ids = (column: string, descending: boolean) =>
    sortRows(CELLS, { column, descending }).map((cells) => Number(writeCell(cells.get("id"))));
  expect(ids("id", false)).toEqual([1, 2, 10]);
  expect(ids("city", true)).toEqual([2, 10, 1]);
});
