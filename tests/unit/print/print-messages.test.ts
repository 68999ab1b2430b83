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

  test("its content", () => {
    expect(files.formatActualKind("GIF")).toBe("The file's content is GIF");
    expect(files.formatFieldSpelling("front")).toBe("Name this field front");
    expect(files.formatTooLarge(15_000_001, 15_000_000, 1)).toBe(
      "The file is 15.01 MB; one request can carry 15 MB. Please reduce image sizes or content",
    );
    expect(files.formatTooLarge(16_000_000, 15_000_000, 2)).toMatch(/^The files together are 16 MB;/);
  });
});

test("how a file will print", () => {
  expect(
    (["sharp", "good", "soft", "blurry"] as const).map((grade) => files.formatResolution(94, grade)),
  ).toEqual([
    "94 dpi: prints sharp",
    "94 dpi: prints well",
    "94 dpi: may look soft in print",
    "94 dpi: will look blurry in print",
  ]);
  expect(
    files.formatWrongShape(
      { what: "image", width: 1000, height: 1000, unit: "px" },
      { size: "6x9", long: 9.24, short: 6.24 },
    ),
  ).toBe(
    "The image is 1000 x 1000 px, another shape than 6x9 with bleed (about 9.24 x 6.24 in). Parts are cut off or edges stay white.",
  );
  expect(files.formatPdfAdvice("6x11", { longPx: 3371, shortPx: 1871 }, { px: 3000, dpi: 267 })).toBe(
    "Use a PDF for 6x11: it needs about 3371 x 1871 px. A JPG or PNG is limited to 3000 px (267 dpi).",
  );
  expect(files.formatPagesPerSide(2)).toBe(
    "This PDF has 2 pages, but a side is one page. Attach front and back as two files.",
  );
  expect(files.formatTooManyPages(11, 10)).toBe("This PDF has 11 pages. The provider prints 10 at most.");
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
  expect(print.formatFilledByRecipient(["firstname", "day"])).toBe(
    "Choose a recipient to see what fills {firstname}, {day}.",
  );
  expect(print.formatFilledLater(["firstname"], "1001")).toBe(
    "{firstname} will be filled from recipient 1001 when you send.",
  );
  expect(print.formatLongAddress(1)).toBe(
    "The address is too long for its area (approximate): 1 line does not fit.",
  );
  expect(print.formatTooManyLetterPages(12, 10)).toBe(
    "The letter has 12 pages. The provider prints 10 at most.",
  );
  expect(print.formatUnlistedRecipient("7")).toBe(
    "Recipient 7 is not in the loaded list. The provider prints the address it has saved.",
  );
  const inPdf = "The provider draws template 21001 in its PDF. Send a test to see it.";
  expect(print.formatHiddenTemplate("21001", null)).toBe(inPdf);
  expect(print.formatHiddenTemplate("21001", "artwork")).toBe(`${inPdf} Here you see your own artwork.`);
  expect(print.formatHiddenTemplate("21001", "overlay")).toBe(
    `${inPdf} Here you see only what is printed on top of it.`,
  );
});

test("what is said of a letter's pages", () => {
  expect(print.LETTER_UNREACHABLE).toBe(
    "The preview is not up to date: the server did not answer. It is asked again with your next change.",
  );
  expect(print.LETTER_SIGNED_OUT).toBe("Log in to see the text on the letter's pages.");
  expect(files.FILES_NOT_CHECKED).toBe("The files were not checked.");
  expect(print.NOT_LAID_OUT).toBe("The letter was not laid out.");
  expect(print.NO_LETTER_PDF).toBe("No PDF was made of the letter.");
  expect(print.formatNotLaidOut("text is required")).toBe("The letter was not laid out: text is required.");
  expect(print.formatUnprintable(["漢", "字"])).toBe(
    "These characters cannot be printed; they become boxes or are left out: 漢 字",
  );
  expect(print.PREVIEW.approximate).toBe(
    "Text and positions are approximate until you send a test. Then you see the provider's PDF here.",
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
  expect(print.formatHiddenPages(1)).toBe("1 more page is not shown.");
  expect(print.formatHiddenPages(2)).toBe("2 more pages are not shown.");
});

test("a text that is too long with its variables", () => {
  expect(print.formatMergedTooLong("content", 400_000_000, 200_000)).toBe(
    "content is too long: with its variables filled it would have 400,000,000 characters, 200,000 at most. Shorten the text or the values.",
  );
  expect(merge.formatVariables(["a", "b"])).toBe("{a}, {b}");
  expect(merge.formatVariables(Array(25).fill("a"))).toMatch(/^\{a\}(?:, \{a\}){19} and 5 more$/);
});

test("why no letter PDF was made", () => {
  expect(print.formatLongParagraph(50_001, 50_000)).toBe(
    "No PDF was made: a paragraph has 50,001 characters, 50,000 at most. Divide it or attach a PDF file.",
  );
  expect(print.formatLongCluster(100)).toBe(
    "No PDF was made: one character has more than 100 accents or other parts. Remove some or attach a PDF file.",
  );
  expect(print.EMPTY_LETTER).toBe(
    "No PDF was made: the letter's text is empty. Write some text or attach a PDF file.",
  );
  expect(print.formatLongLetter(200_001, 200_000, "characters")).toBe(
    "No PDF was made: the letter has 200,001 characters, 200,000 at most. Shorten it or attach a PDF file.",
  );
});
