import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findUnstorableValue } from "~/platform/http/json-body.server";

/** Builds deep nesting without `JSON.parse`, which some engines limit. */
function nest(levels: number, inObjects = false): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = inObjects ? { in: value } : [value];
  return value;
}

describe("findUnstorableValue", () => {
  test.each([
    ["an escaped NUL, which is six plain characters", "\\u0000"],
    ["the largest exact whole number", Number.MAX_SAFE_INTEGER],
    ["the smallest", Number.MIN_SAFE_INTEGER],
    ["64 levels of arrays", nest(64)],
    ["64 levels of objects", nest(64, true)],
    ["many neighbours on one level", Array.from({ length: 1_000 }, () => ({ a: [1, { b: 2 }] }))],
    [
      "a field called __proto__",
      JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": 1}}'),
    ],
  ])("accepts %s", (_, value) => {
    expect(findUnstorableValue(value)).toBeNull();
  });

  const half = "holds half a character (a lone surrogate).";
  const big = "is a whole number beyond 9007199254740991; send it as text.";
  const badName = "is a name that holds a NUL character or half a character.";
  const deep = "The JSON is nested deeper than 64 levels.";
  test.each([
    ["a NUL", "a\0b", "The JSON holds a NUL character."],
    ["a lone high surrogate", { name: "x\ud83d" }, `name ${half}`],
    ["a whole number that lost digits", { a: { b: [0, 9007199254740992] } }, `a.b[1] ${big}`],
    ["a number out of range", JSON.parse('{"amount": 1e309}'), "amount is a number out of range."],
    ["a NUL in a name", { a: { "b\0": 1 } }, `a["b\\u0000"] ${badName}`],
    ["one in __proto__", JSON.parse('{"__proto__": {"a": "\\u0000"}}'), "__proto__.a holds a NUL character."],
    ["65 levels of arrays", nest(65), deep],
    ["65 levels of objects", [1, nest(64, true)], deep],
    ["7,000 levels", nest(7_000), deep],
    ["a million levels", nest(1_000_000, true), deep],
  ])("names %s and its place", (_, value, reason) => {
    expect(findUnstorableValue(value)).toBe(reason);
  });

  test("a long name is cut in the reason", () => {
    const reason = findUnstorableValue({ ["k".repeat(5_000)]: "\0" });
    expect(reason).toBe(`${"k".repeat(40)} holds a NUL character.`);
  });

  const storable = fc
    .jsonValue({ depthSize: "large", stringUnit: "grapheme" })
    .filter((value) => !JSON.stringify(value).includes("\\u0000"));

  test("any value that PostgreSQL can store passes", () => {
    fc.assert(fc.property(storable.map(withoutBigNumbers), (value) => findUnstorableValue(value) === null));
  });

  test("one hostile leaf is found wherever it is", () => {
    const name = fc.string({ minLength: 1, maxLength: 6, unit: "grapheme-ascii" });
    const step = fc.oneof(fc.integer({ min: 0, max: 3 }), name);
    const numbers = [2 ** 53, -(2 ** 60), Number.POSITIVE_INFINITY, 1n];
    const leaf = fc.constantFrom<unknown>("\0", "\ud800", "a\udfffb", ...numbers);
    const within = (inner: unknown, key: string | number) =>
      typeof key === "number"
        ? ["fine", "fine", "fine", "fine"].with(key, inner as string)
        : { before: 1, [`_${key}`]: inner, after: ["fine"] };
    fc.assert(
      fc.property(leaf, fc.array(step, { maxLength: 60 }), (hostile, path) => {
        const value = path.reduceRight<unknown>(within, hostile);
        return findUnstorableValue(value) !== null;
      }),
    );
  });
});

function withoutBigNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === "number" && Number.isInteger(inner) && !Number.isSafeInteger(inner) ? 0.5 : inner,
  );
}
