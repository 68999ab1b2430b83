import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { PDFDocument } from "@cantoo/pdf-lib";
import PdfKit from "pdfkit";
import { findLetterPage } from "~/print/layout/geometry";
import { writePdf } from "./sample-pdfs";

/** Letters on US paper as different programs write them, correct or with one planted fault. */

const { trim, window, code } = findLetterPage("US");
const A4 = { width: 595.28, height: 841.89 };
const TYPEFACE = createRequire(import.meta.url).resolve(
  "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf",
);

/** Content of page 1, and the number of pages. Lengths are in points from the top left corner. */
interface Plan {
  pages: { width: number; height: number }[];
  texts: { text: string; x: number; y: number }[];
  /** `grey` is 0 for black, 1 for white. */
  boxes: { x: number; y: number; width: number; height: number; grey: number }[];
}

const clean: Plan = {
  pages: [{ width: trim.width, height: trim.height }],
  texts: [{ text: "Dear Jane", x: 90, y: 250 }],
  boxes: [],
};
const write = (text: string, x: number, y: number): Plan => ({
  ...clean,
  texts: [...clean.texts, { text, x, y }],
});
const fill = (x: number, y: number, width: number, height: number, grey: number): Plan => ({
  ...clean,
  boxes: [{ x, y, width, height, grey }],
});
const inWindow = [window.x + 10, window.y + 10] as const;

/** Letters with the codes of their findings. */
const PLANS: readonly [name: string, plan: Plan, codes: string[]][] = [
  ["a clean letter", clean, []],
  ["ten pages", { ...clean, pages: Array(10).fill(clean.pages[0]) }, []],
  ["text just below the window", write("Ref 12", window.x, window.y + window.height + 6), []],
  ["text beside the window", write("12 March", window.x + window.width + 8, window.y + 10), []],
  ["a white box in the window", fill(...inWindow, 60, 20, 1), []],
  ["a light tint over the window", fill(window.x - 5, window.y - 5, 200, 90, 0.9), []],
  ["a picture beside the QR code", fill(code.x + code.width + 4, code.y, 40, 20, 0), []],
  ["text in the window", write("Mrs Old Address", ...inWindow), ["address_zone"]],
  ["a picture in the window", fill(...inWindow, 60, 20, 0), ["address_zone"]],
  ["text over the QR code", write("Page 1", code.x + 16, code.y + 10), ["code_zone"]],
  ["text at the edge", write("Our new office", trim.width - 40, 400), ["edge_text"]],
  ["A4", { ...clean, pages: [A4] }, ["wrong_paper"]],
  ["landscape", { ...clean, pages: [{ width: trim.height, height: trim.width }] }, ["wrong_paper"]],
  ["A4 on page 2", { ...clean, pages: [trim, A4] }, ["wrong_paper"]],
  ["eleven pages", { ...clean, pages: Array(11).fill(clean.pages[0]) }, ["too_many_pages"]],
];

async function drawByPdfkit({ pages, texts, boxes }: Plan, typeface = TYPEFACE): Promise<Uint8Array> {
  const document = new PdfKit({ autoFirstPage: false, margin: 0 });
  for (const [at, { width, height }] of pages.entries()) {
    document.addPage({ size: [width, height], margin: 0 });
    if (at > 0) continue;
    for (const { x, y, width, height, grey } of boxes) {
      document.rect(x, y, width, height).fill([grey * 255, grey * 255, grey * 255]);
    }
    document.font(typeface).fontSize(11).fill("black");
    for (const { text, x, y } of texts) document.text(text, x, y, { lineBreak: false });
  }
  document.end();
  return buffer(document);
}

/** Saves a letter as a program that merges or signs files does: with object streams. */
async function saveByPdfLib(plan: Plan): Promise<Uint8Array> {
  const document = await PDFDocument.load(await drawByPdfkit(plan));
  return document.save({ useObjectStreams: true });
}

const GLYPH = "0 0 500 700 re f";
/** Type 3: each letter is a box. */
const TYPE3 = `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0]
  /FirstChar 32 /LastChar 122 /Widths [${Array(91).fill(600).join(" ")}] /Resources << >>
  /Encoding << /Type /Encoding /Differences [32 ${Array(91).fill("/box").join(" ")}] >> /CharProcs << /box 6 0 R >> >>`;
const HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

function makeStream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** A hand-written page with text and other entries in its dictionary. */
function planByHand({ font = TYPE3, page = "", box = "[0 0 612 792]", at = "90 530" }) {
  return {
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox ${box} ${page} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
      makeStream(`BT /F 11 Tf ${at} Td (Dear Jane) Tj ET`),
      font,
      makeStream(`600 0 0 0 500 700 d1 ${GLYPH}`),
    ],
  };
}

const HAND_MADE: readonly [name: string, make: () => Promise<Uint8Array> | Uint8Array, codes: string[]][] = [
  ["Type 3", () => writePdf(planByHand({})), ["font_type3"]],
  ["a typeface that is not embedded", () => writePdf(planByHand({ font: HELVETICA })), ["font_missing"]],
  ["pdfkit, not embedded", () => drawByPdfkit(clean, "Times-Roman"), ["font_missing"]],
  [
    "landscape turned upright",
    () => writePdf(planByHand({ box: "[0 0 792 612]", page: "/Rotate 90", at: "300 300" })),
    ["font_type3"],
  ],
  [
    "upright turned to landscape",
    () => writePdf(planByHand({ page: "/Rotate 90" })),
    ["wrong_paper", "font_type3"],
  ],
  [
    "A4 cropped to US Letter",
    () => writePdf(planByHand({ box: "[0 0 700 900]", page: "/CropBox [44 54 656 846]", at: "134 584" })),
    ["font_type3"],
  ],
  [
    "half size in double units",
    () => writePdf(planByHand({ box: "[0 0 306 396]", page: "/UserUnit 2", at: "50 200" })),
    ["font_type3"],
  ],
];

/** Files named `producer.code.pdf`, from Chromium, LibreOffice, pdfTeX, Cairo (rsvg-convert) and Ghostscript. */
const FOLDER = new URL("letters/", import.meta.url);
const PRINTED = readdirSync(FOLDER).map((name) => {
  const code = name.split(".")[1] ?? "";
  return [name, () => readFileSync(new URL(name, FOLDER)), code === "clean" ? [] : [code]] as const;
});

export const LETTER_CORPUS: readonly (readonly [string, () => Promise<Uint8Array> | Uint8Array, string[]])[] =
  [
    ...PLANS.map(([name, plan, codes]) => [`pdfkit: ${name}`, () => drawByPdfkit(plan), codes] as const),
    ...PLANS.map(([name, plan, codes]) => [`pdf-lib: ${name}`, () => saveByPdfLib(plan), codes] as const),
    ...HAND_MADE,
    ...PRINTED,
  ];
