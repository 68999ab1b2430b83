import { expect, test } from "vitest";
import { diffJson } from "~/responses/comparison/json-diff";
import { parseExact } from "~/ui/json/exact-json";
import { readOwnMs } from "../../support/own-time";

function diff(before: unknown, after: unknown) {
  return diffTexts(JSON.stringify(before ?? null), JSON.stringify(after ?? null));
}

function diffTexts(before: string, after: string) {
  return diffJson(parseExact(before) ?? null, parseExact(after) ?? null);
}

/** The rows as short lines, without equal values. */
function list(before: unknown, after: unknown): string[] {
  return listRows(diff(before, after));
}

function listRows({ different }: ReturnType<typeof diffJson>): string[] {
  return different.rows.map(({ kind, path, volatile }) => `${kind} ${path}${volatile ? " (volatile)" : ""}`);
}

test("equal values are one row, for any order of their keys", () => {
  const { different, same } = diff({ a: 1, b: [1, { c: 2, d: 3 }] }, { b: [1, { d: 3, c: 2 }], a: 1 });
  expect(different.rows).toEqual([]);
  expect(same.rows).toMatchObject([{ path: "", kind: "same" }]);
});

test("added, removed and changed values have their path and both values", () => {
  const { different, same } = diff(
    { data: { status: "draft", cost: "0.99", gone: { x: 1 } } },
    { data: { status: "queued", cost: "0.99", extra: null } },
  );
  expect(different.rows).toEqual([
    { path: "data.status", kind: "changed", before: '"draft"', after: '"queued"', volatile: false },
    { path: "data.gone", kind: "removed", before: '{\n "x": 1\n}', after: null, volatile: false },
    { path: "data.extra", kind: "added", before: null, after: "null", volatile: false },
  ]);
  expect(same.rows).toEqual([
    { path: "data.cost", kind: "same", before: '"0.99"', after: '"0.99"', volatile: false },
  ]);
});

test('1 and "1", null and absent, [] and {} differ', () => {
  expect(list({ a: 1, b: null, c: [] }, { a: "1", c: {} })).toEqual(["changed a", "removed b", "changed c"]);
});

test("unusual keys are in brackets, so that no path is ambiguous", () => {
  expect(list({ "a.b": 1, 'q"': 1, "": 1 }, {})).toEqual([
    'removed ["a.b"]',
    'removed ["q\\""]',
    'removed [""]',
  ]);
  expect(list({ a: { b: 1 } }, { "a.b": 1 })).toEqual(["removed a", 'added ["a.b"]']);
});

test("IDs, times, durations and links to PDFs are volatile, with everything below them", () => {
  expect(
    list(
      { data: { id: 7, pdf: "a", created: "x", status: "test", date: { day: 1 } } },
      { data: { id: 8, pdf: "b", created: "y", status: "sent", date: { day: 2 } } },
    ),
  ).toEqual([
    "changed data.id (volatile)",
    "changed data.pdf (volatile)",
    "changed data.created (volatile)",
    "changed data.status",
    "changed data.date.day (volatile)",
  ]);
  expect(list({ identity: 1 }, { identity: 2 })).toEqual(["changed identity"]);
});

test("an item inserted into a list is one addition, not a change of all items after it", () => {
  expect(list([1, 2, 3, 4], [1, 9, 2, 3, 4])).toEqual(["added [1]"]);
  expect(list(["a", "b", "c"], ["b", "c"])).toEqual(["removed [0]"]);
});

test("items are matched by ID, also when they moved and changed", () => {
  const toRows = (people: object) => Object.entries(people).map(([id, name]) => ({ id: Number(id), name }));
  const [before, after] = [
    { 1: "Ana", 2: "Ben", 3: "Cy" },
    { 2: "Benedikt", 3: "Cy", 4: "Dee" },
  ].map(toRows);
  expect(list(before, after)).toEqual(["removed [0]", "changed [1 → 0].name", "added [2]"]);
});

test("items without a shared id are paired in order, and compared inside", () => {
  expect(list([{ id: 1, city: "Leeds" }], [{ id: 2, city: "York" }])).toEqual([
    "changed [0].id (volatile)",
    "changed [0].city",
  ]);
  expect(list([{ city: "Leeds" }, "x"], [{ city: "York" }, "x", "y"])).toEqual([
    "changed [0].city",
    "added [2]",
  ]);
});

test("more than 400 items are not aligned, which limits the work", () => {
  const before = Array.from({ length: 400 }, (_, index) => `item ${index}`);
  expect(list(before.slice(1), ["new", ...before.slice(1)])).toEqual(["added [0]"]);
  expect(list(before, ["new", ...before])).toHaveLength(401);
});

test("deep nesting is reported as a change and does not overflow", () => {
  const nest = (leaf: unknown) => {
    let value = leaf;
    for (let level = 0; level < 1_000; level++) value = { in: value };
    return value;
  };
  const { rows } = diff(nest(1), nest(2)).different;
  expect(rows.map(({ kind }) => kind)).toEqual(["changed"]);
  // Indents would be longer than the value.
  expect(rows[0]?.before).not.toContain("\n");
});

test("a key __proto__ is a key like any other", () => {
  expect(list(JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"a": 2}}'))).toEqual([
    "changed __proto__.a",
  ]);
  expect(list({}, JSON.parse('{"__proto__": 1}'))).toEqual(["added __proto__"]);
});

test("rows above the limit are counted, different and equal ones separately", () => {
  const before = Array.from({ length: 1_400 }, (_, index) => ({ n: index }));
  const after = before.map(({ n }) => ({ n: n % 2 === 0 ? n : -1 }));
  const { different, same } = diff(before, after);
  expect([different.rows.length, different.hidden]).toEqual([500, 200]);
  expect([same.rows.length, same.hidden]).toEqual([500, 200]);
});

test("long values are cut, and rows beyond 200,000 characters are only counted", () => {
  const before = Array.from({ length: 400 }, (_, index) => `${index} ${"x".repeat(1_000)}`);
  const { rows, hidden } = diff(
    before,
    before.map((text) => `${text}!`),
  ).different;
  expect(rows[0]?.before).toMatch(/^"0 x{597}… 1,004 characters$/);
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.length).toBeLessThan(170);
  expect(hidden).toBe(400 - rows.length);
});

test("long keys and long paths are truncated, which limits the length of a row", () => {
  const nest = (leaf: unknown) => {
    let value: unknown = { ["leaf".repeat(50_000)]: leaf, ["'".repeat(200_000)]: leaf };
    for (let level = 0; level < 40; level++) value = { ["k".repeat(10_000)]: value };
    return value;
  };
  const { rows } = diff(nest(1), nest(2)).different;
  expect(rows.map((row) => row.path.length)).toEqual([401, 401]);
  expect(rows[0]?.path).toMatch(/^k{100}….*\.(?:leaf){25}…$/);
});

test("nested lists are not searched again at each level", () => {
  const startedAt = readOwnMs();
  const nest = (leaf: number) => {
    let value: unknown[] = Array.from({ length: 20_000 }, (_, index) => index + leaf);
    for (let level = 0; level < 60; level++) value = [value, "x".repeat(5_000)];
    return value;
  };
  expect(diff(nest(0), nest(1)).different.hidden).toBe(19_500);
  const lists = (leaf: number) =>
    Array.from({ length: 300 }, () => Array.from({ length: 400 }, (_, n) => n % leaf));
  expect(diff(lists(7), lists(9)).different.hidden).toBeGreaterThan(0);
  expect(readOwnMs() - startedAt).toBeLessThan(10_000);
});

test("numbers are compared as they are written", () => {
  const [before, after] = ['{"a":1.10,"b":12345678901234567890}', '{"a":1.1,"b":12345678901234567891}'];
  expect(listRows(diffTexts(before, after))).toEqual(["changed a", "changed b"]);
  expect(listRows(diffTexts(before, before))).toEqual([]);
});

test("duplicate names of an object are compared in order", () => {
  expect(listRows(diffTexts('{"a":1,"a":2}', '{"a":1,"a":3,"a":4}'))).toEqual(["changed a", "added a"]);
});
