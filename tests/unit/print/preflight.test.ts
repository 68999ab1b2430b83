import * as pdfjs from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, test } from "vitest";
import { listAddressFaults } from "~/print/layout/address";
import { findLetterPage, findPostcard, placeBack } from "~/print/layout/geometry";
import { layoutBack, listAddressLines } from "~/print/layout/layout";
import { measureTest, parseMeasured } from "~/print/layout/measured";
import { listBackPdfFindings, listLetterPdfFindings } from "~/print/layout/pdf-findings";
import { readPreviewState } from "~/print/layout/preview-content";
import { type PdfContent, readPdf, toUnread } from "~/ui/pdf/pdf-file";
import { renderSamplePdf } from "../../emulators/mail-provider/sample-pdf";
import { LETTER_CORPUS } from "../../support/files/letter-corpus";

const JANE = {
  firstname: "Jane",
  lastname: "O'Neil-Smith",
  address1: "14 Mill Lane, Flat 2",
  city: "Portland",
  state: "OR",
  postcode: "97205",
  country: "US",
};

describe("an address", () => {
  test.each([
    [{}, []],
    [{ firstname: "Zoë", lastname: "Łukasz Ђорђе", company: "Müller & Söhne (GmbH)" }, []],
    [{ postcode: "97205-1234" }, []],
    [{ postcode: "972" }, ["postcode_form"]],
    [{ postcode: "" }, ["postcode_form"]],
    [{ country: "GB", postcode: "sw1a 1aa" }, []],
    [{ country: "GB", postcode: "97205" }, ["postcode_form"]],
    [{ country: "CA", postcode: "K1A 0B1" }, []],
    [{ country: "NL", postcode: "1012" }, ["postcode_form"]],
    [{ country: "JP", postcode: "100-0001" }, []],
    [{ address1: "No fixed abode" }, ["no_fixed_abode"]],
    [{ address1: "NFA" }, ["no_fixed_abode"]],
    [{ address2: "(rear entrance)" }, ["bad_line_start"]],
    [{ address1: "@home" }, ["bad_line_start"]],
    [{ lastname: "王小明" }, ["address_unprintable"]],
    [{ address2: "by the 🏠" }, ["address_unprintable"]],
    [{ city: "Port\u0007land" }, ["address_unprintable"]],
    [{ firstname: "", lastname: "" }, ["address_lines"]],
    [{ city: "", postcode: "" }, []],
  ])("with %j has the faults %j", (change, codes) => {
    expect(listAddressFaults({ ...JANE, ...change }, "US").map(({ code }) => code)).toEqual(codes);
  });

  test("without a country is one of the piece's home", () => {
    const british = { ...JANE, country: "", postcode: "SW1A 1AA" };
    expect(listAddressFaults(british, "GB")).toEqual([]);
    expect(listAddressFaults(british, "US")).toMatchObject([{ code: "postcode_form", tone: "warn" }]);
  });
});

describe("a PDF", () => {
  const { trim, window } = findLetterPage("US");
  const size = { width: trim.width, height: trim.height };
  const at = (box: { x: number; y: number }, text = "Mrs Old Address") => ({
    ...{ x: box.x + 5, y: box.y + 5, width: 60, height: 12 },
    text,
  });
  const clean = {
    ...size,
    texts: [{ x: 90, y: 250, width: 100, height: 12, text: "Dear Jane" }],
    ink: null,
  };
  const content = (page: object, more: Partial<PdfContent> = {}): PdfContent => ({
    ...{ ...toUnread(""), unread: null, pages: [{ ...clean, ...page }], total: 1 },
    ...more,
  });

  // The corpus below has a letter for each finding.
  test.each([
    ["a little smaller than the paper", content({ width: size.width - 3 }), []],
    ["blank text in the window", content({ texts: [at(window, "  ")] }), []],
    ["one that cannot be read", toUnread("It is damaged."), ["pdf_unread"]],
  ])("of a letter: %s", (_name, pdf, codes) => {
    expect(listLetterPdfFindings(pdf, "US").map((finding) => finding.code)).toEqual(codes);
  });

  test("names the text in the address zone, and its position", () => {
    expect(listLetterPdfFindings(content({ texts: [at(window)] }), "US")).toMatchObject([
      { tone: "ruins", field: "file", mark: window, text: expect.stringContaining('"Mrs Old Address"') },
    ]);
  });

  test("on a postcard's back is checked outside the white zones, with its bleed", () => {
    const piece = findPostcard("6x9", "back");
    if (!piece) throw new Error("This size is known.");
    const { address } = placeBack(piece, false);
    const { bleed } = piece;
    const text = { ...at({ x: address.x - bleed.x, y: address.y - bleed.y }), text: "Offer" };
    const pdf = content({ width: bleed.width, height: bleed.height, texts: [text] });
    expect(listBackPdfFindings(pdf, "6x9", false)).toMatchObject([{ code: "address_zone", tone: "ruins" }]);
    expect(listBackPdfFindings(pdf, "6x9", true)).toEqual([]);
  });
});

test.each(LETTER_CORPUS)(
  "the corpus of letters, without false or missing findings: %s",
  async (_name, make, codes) => {
    const content = await readPdf(pdfjs, Uint8Array.from(await make()), 10);
    expect(listLetterPdfFindings(content, "US").map(({ code }) => code)).toEqual(codes);
  },
);

test("a test's PDF corrects the drawn positions of address and message", async () => {
  const piece = findPostcard("4x6", "back");
  if (!piece) throw new Error("This size is known.");
  const state = readPreviewState(
    "postcard",
    { size: "4x6", message: "Dear Jane, thank you.", recipient: JANE },
    "US",
  );
  const back = { message: state.text, signature: null, address: listAddressLines(state) };
  const pages = [{ lines: ["Front"] }, { back }];
  const { width: widthPt, height: heightPt } = piece.bleed;
  const bytes = await renderSamplePdf({ widthPt, heightPt, specimen: true, pages });
  const content = await readPdf(pdfjs, new Uint8Array(bytes), 2);
  const measured = measureTest(content, state, 1);
  for (const [name, text] of [
    ["address", back.address[0]],
    ["message", "Dear"],
  ] as const) {
    const printed = content.pages[1]?.texts.find((found) => found.text.startsWith(text ?? ""));
    const [drawn] = layoutBack(piece, { ...state, measured })[name].lines;
    expect(drawn?.x).toBeCloseTo((printed?.x ?? 0) + piece.bleed.x, 3);
    const baseline = (printed?.y ?? 0) + (printed?.height ?? 0) + piece.bleed.y;
    expect(drawn?.baseline).toBeCloseTo(baseline, 3);
  }
  expect(parseMeasured(JSON.stringify(measured))).toEqual(measured);
  expect(parseMeasured('{"at":1,"address":{"right":"x"}}')).toBeNull();
  expect(measureTest(content, { ...state, text: "Other", recipient: null }, 1)).toBeNull();
});
