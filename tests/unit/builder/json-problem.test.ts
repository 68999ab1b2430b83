import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonProblem } from "~/builder/forms/json-problem";

test("a text that is not JSON is reported by line, column and reason", () => {
  expect(findJsonProblem('{"a": [1, 2]}')).toBeNull();
  expect(findJsonProblem('{\n  "a": 1\n  "b": 2\n}')).toBe("Line 3, column 3: a comma is missing.");
  expect(findJsonProblem('{"a": ')).toMatch(/^Line 1, column 7: a value is missing/);
  expect(findJsonProblem("{'a': 1}")).toMatch(/^Line 1, column 2: .*double quotes/);
  expect(findJsonProblem('{"a": 1,\n}')).toMatch(/^Line 2, column 1: .*the comma before is too many/);
  expect(findJsonProblem('{"a": "x}')).toMatch(/closing quote/);
  expect(findJsonProblem("[1] 2")).toMatch(/more after the end/);
});

test("every text that is not JSON has a line and a column", () => {
  fc.assert(
    fc.property(fc.string(), fc.json(), (noise, json) => {
      const text = json.slice(0, 5) + noise;
      const problem = findJsonProblem(text);
      if (problem !== null) expect(problem).toMatch(/^Line \d+, column \d+: .+\.$/);
    }),
  );
});
