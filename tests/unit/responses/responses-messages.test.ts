import { expect, test } from "vitest";
import {
  formatBodiesFailed,
  formatDifferenceCount,
  formatHiddenDifferences,
  NOTHING_TO_DELETE,
} from "~/responses/messages";

test.each([
  [formatBodiesFailed(502), "Request failed with status 502"],
  [
    NOTHING_TO_DELETE,
    "Failed to delete response: there is no stored response with this ID. Nothing was deleted.",
  ],
  [formatDifferenceCount(0, 0), "no differences"],
  [formatDifferenceCount(1, 0), "1 difference"],
  [formatDifferenceCount(2, 3), "2 differences, 3 expected"],
  [formatHiddenDifferences(1), "1 more difference is not shown."],
  [formatHiddenDifferences(1_200), "1,200 more differences are not shown."],
])("%s", (message, expected) => {
  expect(message).toBe(expected);
});
