import { FRONT_BACK, LETTER_PDF } from "~/print/artwork/file-rules";
import { ENCRYPTED_PDF, formatActualKind, UNREADABLE_PDF } from "~/print/artwork/messages";
import { CARD_PT, FAILED, listRows, pdf } from "./corpus-row";
import { drawPdf, latin1, planPages, updatePdf, writeCompressedPdf, writePdf } from "./sample-pdfs";
import { makeJpeg } from "./sample-pictures";

const NOT_A_PDF = "The letter file must be a PDF";
const ENCRYPTED = [FAILED, ENCRYPTED_PDF];
const LETTER_PT = { width: 612, height: 792 };

const LETTERS = listRows(LETTER_PDF, [
  ["a letter", () => writePdf(planPages(1, "/MediaBox [0 0 612 792]")), pdf(1, LETTER_PT)],
  [
    "a letter of 200 pages",
    () => writePdf(planPages(200, "", "/MediaBox [0 0 612 792]")),
    pdf(200, LETTER_PT),
  ],
  ["a letter as pdfkit writes it", () => drawPdf({ size: "LETTER" }, 3), pdf(3, LETTER_PT)],
  ["a JPEG as letter", () => makeJpeg(8, 8), [NOT_A_PDF, formatActualKind("JPEG")]],
  ["HTML as letter", () => latin1("<html>"), [NOT_A_PDF, formatActualKind("HTML or XML")]],
  [
    "a Word document as letter",
    () => latin1("PK\x03\x04\x14\0"),
    [NOT_A_PDF, formatActualKind("ZIP (perhaps an Office document)")],
  ],
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
const PDFS = listRows(FRONT_BACK, [
  ["a PDF", () => writePdf(planPages(1)), pdf(1, CARD_PT)],
  [
    "a PDF with a cross-reference stream and object streams",
    () => writeCompressedPdf(planPages(3)),
    pdf(3, CARD_PT),
  ],
  [
    "a PDF turned by a quarter",
    () => writePdf(planPages(1, "/MediaBox [0 0 100 200] /Rotate -90")),
    pdf(1, { width: 200, height: 100 }),
  ],
  [
    "a cropped PDF",
    () => writePdf(planPages(1, "/MediaBox [0 0 500 400] /CropBox [10 20 700 120]")),
    pdf(1, { width: 490, height: 100 }),
  ],
  [
    "a PDF whose crop box is elsewhere",
    () => writePdf(planPages(1, "/MediaBox [0 0 500 400] /CropBox [600 0 700 100]")),
    pdf(1, { width: 500, height: 400 }),
  ],
  [
    "a PDF in larger units",
    () => writePdf(planPages(1, "/MediaBox [0 0 100 200] /UserUnit 2")),
    pdf(1, { width: 200, height: 400 }),
  ],
  [
    "a PDF whose box is upside down",
    () => writePdf(planPages(1, "/MediaBox [300 400 0.5 0]")),
    pdf(1, { width: 299.5, height: 400 }),
  ],
  [
    "a tree of pages with what they share further up",
    () =>
      writePdf({
        objects: [
          CATALOGUE,
          "<< /Type /Pages /Count 2 /Kids [3 0 R] /MediaBox 6 0 R >>",
          "<< /Type /Pages /Parent 2 0 R /Count 2 /Kids [4 0 R 5 0 R] /Rotate 90 >>",
          `${PAGE} >>`,
          `${PAGE} >>`,
          "[0 0 30 40]",
        ],
      }),
    pdf(2, { width: 40, height: 30 }),
  ],
  [
    "a PDF that was added to",
    () => updatePdf(writePdf(planPages(1)), { 2: "<< /Type /Pages /Count 2 /Kids [3 0 R 3 0 R] >>" }),
    pdf(2, CARD_PT),
  ],
  ["a compressed PDF made for the web", () => lineariseRoughly((length) => length), pdf(7, CARD_PT)],
  ["the same with something added to it", () => lineariseRoughly((length) => length - 1), pdf(7, CARD_PT)],
  [
    "a PDF of one page whose compressed update has three",
    () => {
      const earlier = Buffer.from(writePdf(planPages(1))).toString("latin1");
      return writeCompressedPdf(
        { ...planPages(3), trailer: `/Prev ${earlier.lastIndexOf("xref\n0 ")}` },
        earlier,
      );
    },
    pdf(3, CARD_PT),
  ],
  [
    "a PDF with strings in its trailer",
    () => writePdf({ ...planPages(1), trailer: "/ID [(a\\)>>(b)%) <00ff>] % >> comment\n /Info null" }),
    pdf(1, CARD_PT),
  ],
  [
    "a PDF that speaks of encryption in a string",
    () => writePdf({ ...planPages(1), trailer: "/Note (/Encrypt 5 0 R)" }),
    pdf(1, CARD_PT),
  ],
  [
    "a PDF with something behind its end",
    () => Buffer.concat([writePdf(planPages(1)), Buffer.alloc(900)]),
    pdf(1, CARD_PT),
  ],
  [
    "a PDF whose pointer is wrong",
    () =>
      latin1(
        Buffer.from(writePdf(planPages(1)))
          .toString("latin1")
          .replace(/startxref\n\d+/, "startxref\n7"),
      ),
    pdf(1, CARD_PT),
  ],
  ["a PDF with no more than its marks", () => latin1("%PDF-1.4\n%%EOF\n"), [FAILED, UNREADABLE_PDF]],
  ["a PDF that needs a password", () => drawPdf({ userPassword: "secret" }), ENCRYPTED],
  ["a PDF with restricted rights", () => drawPdf({ ownerPassword: "secret", permissions: {} }), ENCRYPTED],
  ["an encrypted PDF 1.7", () => drawPdf({ userPassword: "secret", pdfVersion: "1.7ext3" }), ENCRYPTED],
  [
    "an encrypted PDF with a cross-reference stream",
    () => writeCompressedPdf({ ...planPages(1), trailer: "/Encrypt << /Filter /Standard >>" }),
    ENCRYPTED,
  ],
  [
    "encryption in another spelling",
    () => writePdf({ ...planPages(1), trailer: "/Encr#79pt 9 0 R" }),
    ENCRYPTED,
  ],
]);

export const PDF_FILES = [...LETTERS, ...PDFS];
