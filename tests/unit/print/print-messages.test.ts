import { describe, expect, test } from "vitest";
import * as files from "~/print/artwork/messages";
import * as merge from "~/print/merge/messages";
import * as print from "~/print/messages";

/** The sentences of the room, to be read in a row. Other tests check codes or import from messages.ts. */

describe("why a file cannot be used", () => {
  test("kind and size of images, in the specified words", () => {
    expect(files.WRONG_KIND).toEqual({
      frontOrBack: "Invalid format. Allowed: jpeg, jpg, png, pdf",
      signature: "Invalid format. Allowed: jpeg, png",
      letter: "The letter file must be a PDF",
    });
    expect(files.NOT_MEASURABLE).toBe("Could not read image dimensions");
    expect(files.NOT_PROCESSED).toBe("Failed to process file");
    expect(files.formatWrongSide("Width", "exactly", 768, 800)).toBe(
      "Width must be exactly 768px (got 800px)",
    );
    expect(files.formatWrongSide("Height", "at most", 3000, 3001)).toBe(
      "Height must not exceed 3000px (got 3001px)",
    );
  });

  test("its size, alone or with the other files", () => {
    expect(files.formatTooLarge(15_000_001, 15_000_000, 1)).toBe(
      "The file is 15.01 MB; one request can carry 15 MB. Please reduce image sizes or content",
    );
    expect(files.formatTooLarge(16_000_000, 15_000_000, 2)).toMatch(/^The files together are 16 MB;/);
  });
});

test("what the preview warns of", () => {
  expect(print.formatCutLines(1)).toBe("1 line of the message does not fit and will be cut.");
  expect(print.formatCutLines(3)).toBe("3 lines of the message do not fit and will be cut.");
  expect(merge.formatNoValue(["firstname"])).toBe(
    "{firstname} has no value. Give it one or remove it to send.",
  );
  expect(merge.formatNoValue(["a", "b"])).toBe(
    "{a}, {b} have no value. Give them one or remove them to send.",
  );
  const inPdf = "The provider draws template 21001 in its PDF. Send a test to see it.";
  expect(print.formatHiddenTemplate("21001", null)).toBe(inPdf);
  expect(print.formatHiddenTemplate("21001", "artwork")).toBe(`${inPdf} Here you see your own artwork.`);
  expect(print.formatHiddenTemplate("21001", "overlay")).toBe(
    `${inPdf} Here you see only what is printed on top of it.`,
  );
});

test("what the preview shows in place of a drawing", () => {
  const long = (signs: number) => `${"x".repeat(signs)}.pdf`;
  expect(print.formatFileName(long(32))).toBe(long(32));
  expect(print.formatFileName(long(33))).toBe(`${"x".repeat(18)}…${long(14)}`);
  expect(print.formatPdf(undefined)).toBe("PDF");
  expect(print.formatPdf(2)).toBe("PDF, 2 pages");
  expect(print.formatPdfLoading(0.415)).toBe("Loading the PDF, 42 %");
  expect(print.formatPageLoading(1, 2)).toBe("Loading page 1 of 2");
});

test("many variables are counted", () => {
  expect(merge.formatVariables(["a", "b"])).toBe("{a}, {b}");
  expect(merge.formatVariables(Array(25).fill("a"))).toMatch(/^\{a\}(?:, \{a\}){19} and 5 more$/);
});
