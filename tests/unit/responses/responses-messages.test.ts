import { expect, test } from "vitest";
import { formatBodiesFailed, NOTHING_TO_DELETE } from "~/responses/messages";

test.each([
  [formatBodiesFailed(502), /^Request failed with status 502$/],
  [NOTHING_TO_DELETE, /^Failed to delete response: /],
])("%s", (message, expected) => {
  expect(message).toMatch(expected);
});
