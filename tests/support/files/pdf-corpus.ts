import { FRONT_BACK, LETTER_PDF } from "~/print/artwork/file-rules";
import { ENCRYPTED_PDF, formatActualKind, UNREADABLE_PDF } from "~/print/artwork/messages";
import { CARD_PT, FAILED, listRows, pdf } from "./corpus-row";
import { drawPdf, latin1, planPages, updatePdf, writeCompressedPdf, writePdf } from "./sample-pdfs";
import { makeJpeg } from "./sample-pictures";

const NOT_A_PDF = "The letter file must be a PDF";
const ENCRYPTED = [FAILED, ENCRYPTED_PDF];
const LETTER_PT = { width: 612, height: 792 };
const LETTER_BOX = "/MediaBox [0 0 612 792]";
const ZIP = "ZIP (perhaps an Office document)";

const LETTERS = listRows(LETTER_PDF, [
  ["a letter", () => writePdf(planPages(1, LETTER_BOX)), pdf(1, LETTER_PT)],
  ["a letter of 200 pages", () => writePdf(planPages(200, "", LETTER_BOX)), pdf(200, LETTER_PT)],
  ["a letter as pdfkit writes it", () => drawPdf({ size: "LETTER" }, 3), pdf(3, LETTER_PT)],
  ["a JPEG as letter", () => makeJpeg(8, 8), [NOT_A_PDF, formatActualKind("JPEG")]],
  ["HTML as letter", () => latin1("<html>"), [NOT_A_PDF, formatActualKind("HTML or XML")]],
  ["a Word document as letter", () => latin1("PK\x03\x04\x14\0"), [NOT_A_PDF, formatActualKind(ZIP)]],
]);

/**
 * Seven pages in a file that starts with a linearization dictionary: the length it claims, which is right until
 * something is appended, and the pages.
 */
function lineariseRoughly(claim: (length: number) => number): Uint8Array {
  const write = (length: number) =>
    writeCompressedPdf(
      planPages(7),
      `%PDF-1.5\n99 0 obj\n<< /Linearized 1 /L ${String(length).padStart(9, "0")} /N 7 >>\nendobj\n`,
    );
  return write(claim(write(0).length));
}

const CATALOGUE = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGE = "<< /Type /Page /Parent 3 0 R";
/** A PDF of one page with these entries. */
const onePage = (entries: string) => () => writePdf(planPages(1, entries));
/** A PDF of one page with these entries in its trailer. */
const trailed = (trailer: string) => () => writePdf({ ...planPages(1), trailer });
/** A PDF of one page with a part of its text replaced. */
export const changed = (from: RegExp | string, to: string) => () =>
  latin1(
    Buffer.from(writePdf(planPages(1)))
      .toString("latin1")
      .replace(from, to),
  );
const SHARED = [
  CATALOGUE,
  "<< /Type /Pages /Count 2 /Kids [3 0 R] /MediaBox 6 0 R >>",
  "<< /Type /Pages /Parent 2 0 R /Count 2 /Kids [4 0 R 5 0 R] /Rotate 90 >>",
  ...[`${PAGE} >>`, `${PAGE} >>`, "[0 0 30 40]"],
];
const TWO_PAGES = { 2: "<< /Type /Pages /Count 2 /Kids [3 0 R 3 0 R] >>" };
const size = (width: number, height: number) => pdf(1, { width, height });
const WHOLE = pdf(1, CARD_PT);
const THREE = pdf(3, CARD_PT);

const PDFS = listRows(FRONT_BACK, [
  ["a PDF", () => writePdf(planPages(1)), WHOLE],
  ["a PDF with a cross-reference stream and object streams", () => writeCompressedPdf(planPages(3)), THREE],
  ["turned by a quarter", onePage("/MediaBox [0 0 100 200] /Rotate -90"), size(200, 100)],
  ["cropped", onePage("/MediaBox [0 0 500 400] /CropBox [10 20 700 120]"), size(490, 100)],
  ["a crop box elsewhere", onePage("/MediaBox [0 0 500 400] /CropBox [600 0 700 100]"), size(500, 400)],
  ["larger units", onePage("/MediaBox [0 0 100 200] /UserUnit 2"), size(200, 400)],
  ["a box upside down", onePage("/MediaBox [300 400 0.5 0]"), size(299.5, 400)],
  ["pages that share entries", () => writePdf({ objects: SHARED }), pdf(2, { width: 40, height: 30 })],
  ["a PDF that was added to", () => updatePdf(writePdf(planPages(1)), TWO_PAGES), pdf(2, CARD_PT)],
  ["a compressed PDF made for the web", () => lineariseRoughly((length) => length), pdf(7, CARD_PT)],
  ["the same with something added to it", () => lineariseRoughly((length) => length - 1), pdf(7, CARD_PT)],
  [
    "a PDF of one page whose compressed update has three",
    () => {
      const earlier = Buffer.from(writePdf(planPages(1))).toString("latin1");
      const trailer = `/Prev ${earlier.lastIndexOf("xref\n0 ")}`;
      return writeCompressedPdf({ ...planPages(3), trailer }, earlier);
    },
    THREE,
  ],
  ["strings in the trailer", trailed("/ID [(a\\)>>(b)%) <00ff>] % >> comment\n /Info null"), WHOLE],
  ["a PDF that speaks of encryption in a string", trailed("/Note (/Encrypt 5 0 R)"), WHOLE],
  ["something behind the end", () => Buffer.concat([writePdf(planPages(1)), Buffer.alloc(900)]), WHOLE],
  ["a PDF whose pointer is wrong", changed(/startxref\n\d+/, "startxref\n7"), WHOLE],
  ["a PDF with no more than its marks", () => latin1("%PDF-1.4\n%%EOF\n"), [FAILED, UNREADABLE_PDF]],
  ["a PDF that needs a password", () => drawPdf({ userPassword: "secret" }), ENCRYPTED],
  ["a PDF with restricted rights", () => drawPdf({ ownerPassword: "secret", permissions: {} }), ENCRYPTED],
  ["an encrypted PDF 1.7", () => drawPdf({ userPassword: "secret", pdfVersion: "1.7ext3" }), ENCRYPTED],
  [
    "an encrypted PDF with a cross-reference stream",
    () => writeCompressedPdf({ ...planPages(1), trailer: "/Encrypt << /Filter /Standard >>" }),
    ENCRYPTED,
  ],
  ["encryption in another spelling", trailed("/Encr#79pt 9 0 R"), ENCRYPTED],
]);

export const PDF_FILES = [...LETTERS, ...PDFS];
