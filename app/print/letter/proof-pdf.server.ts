import type { PDFDocument, PDFEmbeddedPage, PDFFont, PDFPage } from "@cantoo/pdf-lib";
import { findHome } from "~/outside/mail-provider/account-home";
import { env } from "~/platform/env.server";
import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { makeLetterPdf } from "./letter-pdf.server";
import { findPageSize, MARGIN, PAGE_SIZES, type PageSize } from "./page";

/** The content of a proof of mailing. The same content always gives the same bytes. */
export interface Proof {
  /** In the head of the first page, and in the foot of each: printable ASCII. */
  title: string;
  subject: string;
  /** Parts under a heading each; a line may have any characters. */
  parts: { heading: string; lines: string[] }[];
  /** A PDF whose first pages are drawn on a page of their own; null: none is kept. */
  pdf: Uint8Array | null;
}

/** The front and the back of a postcard. */
const MOST_PICTURES = 2;
const GAP = 24;

/** Makes the PDF of a proof in a thread of its own. Fails as `layoutLetter` does, and with `too_complex`. */
export async function renderProof(proof: Proof): Promise<Made> {
  const pageSize = findPageSize(findHome(env().baseUrls[0]));
  const made = await doHeavyWork(MAKE_PROOF_PDF, { ...proof, pageSize });
  return made.ok ? made.value : made;
}

type SizedProof = Proof & { pageSize: PageSize };
type Made = Outcome<Uint8Array<ArrayBuffer>>;

export const MAKE_PROOF_PDF: HeavyJob<SizedProof, Made> = {
  name: "proof.pdf",
  run: makeProofPdf,
  isLarge: () => true,
  notDone: "No proof was made.",
};

/** Loads the library when it is needed: it takes 150 ms, which each start of a console or thread would pay. */
const loadPdfLib = () => import("@cantoo/pdf-lib");

async function makeProofPdf({ pageSize, title, subject, parts, pdf }: SizedProof): Promise<Made> {
  const text = parts.map(({ heading, lines }) => [heading.toUpperCase(), ...lines].join("\n")).join("\n\n");
  const letter = await makeLetterPdf({ text, pageSize });
  if (!letter.ok) return letter;
  const { PDFDocument, StandardFonts, rgb } = await loadPdfLib();
  // Its times are those of the letter, which are fixed.
  const document = await PDFDocument.load(letter.value.pdf, { updateMetadata: false });
  document.setTitle(`${title}: ${subject}`);
  if (pdf !== null) await addPictures(document, pdf, pageSize);
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const pages = document.getPages();
  const [first] = pages;
  if (first) drawHead(first, title, subject, regular, await document.embedFont(StandardFonts.HelveticaBold));
  for (const [index, page] of pages.entries()) {
    const foot = `Mailroom, ${title.toLowerCase()}, ${subject}, page ${index + 1} of ${pages.length}`;
    page.drawText(foot, { x: MARGIN, y: MARGIN / 2, size: 8, font: regular, color: rgb(0.35, 0.35, 0.35) });
  }
  return succeed(new Uint8Array(await document.save()));
}

function drawHead(page: PDFPage, title: string, subject: string, regular: PDFFont, bold: PDFFont): void {
  const { width, height } = page.getSize();
  page.drawText(title, { x: MARGIN, y: height - MARGIN - 20, size: 24, font: bold });
  page.drawText(subject, { x: MARGIN, y: height - MARGIN - 40, size: 12, font: regular });
  const y = height - MARGIN - 52;
  page.drawLine({ start: { x: MARGIN, y }, end: { x: width - MARGIN, y }, thickness: 0.5 });
}

/** Draws the first pages of the mailed PDF below each other, as vectors. A file that cannot be read is left out. */
async function addPictures(document: PDFDocument, pdf: Uint8Array, pageSize: PageSize): Promise<void> {
  const pictures = await embedPages(document, pdf);
  if (pictures.length === 0) return;
  const { rgb } = await loadPdfLib();
  const { width, height } = PAGE_SIZES[pageSize];
  const page = document.addPage([width, height]);
  const area = {
    width: width - 2 * MARGIN,
    height: (height - 2 * MARGIN - GAP * (pictures.length - 1)) / pictures.length,
  };
  for (const [index, picture] of pictures.entries()) {
    const scale = Math.min(area.width / picture.width, area.height / picture.height, 1);
    const size = { width: picture.width * scale, height: picture.height * scale };
    const place = { x: MARGIN, y: height - MARGIN - index * (area.height + GAP) - size.height };
    page.drawPage(picture, { ...place, ...size });
    page.drawRectangle({ ...place, ...size, borderWidth: 0.5, borderColor: rgb(0.6, 0.6, 0.6) });
  }
}

async function embedPages(document: PDFDocument, pdf: Uint8Array): Promise<PDFEmbeddedPage[]> {
  const { PDFDocument } = await loadPdfLib();
  try {
    const source = await PDFDocument.load(pdf, { updateMetadata: false });
    const count = Math.min(source.getPageCount(), MOST_PICTURES);
    const pages = await document.embedPdf(
      source,
      Array.from({ length: count }, (_, index) => index),
    );
    // Embeds now what would fail only when the document is saved.
    await document.flush();
    return pages;
  } catch {
    return [];
  }
}
