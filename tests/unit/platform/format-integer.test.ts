import { expect, test } from "vitest";
import { formatInteger } from "~/platform/format-integer";

test.each([0, 7, 999, 1_000, -999, -1_234, 65_536, 12_345_678])("%d has the commas of Intl", (integer) => {
  expect(formatInteger(integer)).toBe(integer.toLocaleString("en"));
});
