import { expect, test } from "vitest";
import { backoffSeconds, estimateMinutes } from "~/bulk/sending/list-pace.server";
import { parseRowNumbers } from "~/bulk/sending/test-rows.server";

test("a list takes two thirds of the provider's rate limit", () => {
  expect([estimateMinutes(10_000, { limit: 300, left: 1 }), estimateMinutes(10_000, null)]).toEqual([50, 50]);
});

test("a list backs off when the provider does not answer, up to five minutes", () => {
  expect([0, 1, 2, 50].map(backoffSeconds)).toEqual([5, 10, 20, 300]);
});

test.each([
  ["2", [2]],
  [" 3, 17;3 ", [3, 17]],
  ["", null],
  ["1", null],
  ["2 3 4 5 6 7", null],
  ["2,x", null],
])("rows to test: %j", (text, numbers) => {
  expect(parseRowNumbers(text)).toEqual(numbers);
});
