import { expect, test } from "vitest";
import * as files from "~/print/artwork/messages";
import { formatVariables } from "~/print/merge/merge";
import { formatFileName } from "~/print/messages";

/** Messages that the specification words, and truncated texts. Other tests check codes or import the constants. */
test.each([
  [files.WRONG_KIND.frontOrBack, "Invalid format. Allowed: jpeg, jpg, png, pdf"],
  [files.WRONG_KIND.signature, "Invalid format. Allowed: jpeg, png"],
  [files.WRONG_KIND.letter, "The letter file must be a PDF"],
  [files.NOT_MEASURABLE, "Could not read image dimensions"],
  [files.NOT_PROCESSED, "Failed to process file"],
  [files.formatWrongSide("Width", "exactly", 768, 800), "Width must be exactly 768px (got 800px)"],
  [files.formatWrongSide("Height", "at most", 3000, 3001), "Height must not exceed 3000px (got 3001px)"],
  [
    files.formatTooLarge(15_000_001, 15_000_000, 1),
    "The file is 15.01 MB; one request can carry 15 MB. Please reduce image sizes or content",
  ],
])("%s", (message, expected) => {
  expect(message).toBe(expected);
});

test("a long file name and a long list of variables are cut", () => {
  const long = (signs: number) => `${"x".repeat(signs)}.pdf`;
  expect(formatFileName(long(32))).toBe(long(32));
  expect(formatFileName(long(33))).toBe(`${"x".repeat(18)}…${long(14)}`);
  expect(formatVariables(["a", "b"])).toBe("{a}, {b}");
  expect(formatVariables(Array(25).fill("a"))).toMatch(/^\{a\}(?:, \{a\}){19} and 5 more$/);
});
