import type { Ink, PdfContent, PdfPageContent } from "~/ui/pdf/pdf-file";
import { formatTooManyPages } from "../artwork/messages";
import { MOST_LETTER_PAGES, toInches } from "../artwork/print-quality";
import type { Finding } from "./finding";
import { type Box, findLetterPage, findPostcard, placeBack } from "./geometry";

/** A page that is no more than this larger or smaller counts as the paper. */
const PAPER_TOLERANCE = 5;
/** Overlaps below this are rounding, or the space around letters. */
const OVERLAP_TOLERANCE = 1;
/** Share of a box's pixels that must be ink, so that a stray line at its edge does not count. */
const LEAST_INK = 0.002;
const MOST_QUOTED_CHARS = 40;

/** Lists the faults of a letter's PDF: paper, address window, QR code, edges and typefaces. */
export function listLetterPdfFindings(report: PdfContent, home: "US" | "GB"): Finding[] {
  const { trim, safe, window, code, label } = findLetterPage(home);
  const [first] = report.pages;
  const zones: Zone[] = [
    { box: window, name: "address zone", code: "address_zone", tone: "ruins" },
    { box: code, name: "place of the QR code", code: "code_zone", tone: "warn" },
  ];
  return [
    ...listUnread(report, "file"),
    ...listPaperFindings(report, { ...trim, label }),
    ...(first ? listZoneFindings(first, zones, "file", "Page 1") : []),
    ...listEdgeFindings(report.pages, safe),
    ...listFontFindings(report, "file"),
  ];
}

/** Lists the faults of a PDF on a postcard's back where no white zones are laid over it. */
export function listBackPdfFindings(report: PdfContent, size: string, clearZones: boolean): Finding[] {
  const piece = findPostcard(size, "back");
  const [first] = report.pages;
  if (!piece || !first) return listUnread(report, "back");
  const { address, barcode, postage } = placeBack(piece, false);
  // The artwork covers the bleed, whose corner has negative coordinates.
  const scale = piece.bleed.width / first.width;
  const toPage = (box: Box): Box => ({
    x: (box.x - piece.bleed.x) / scale,
    y: (box.y - piece.bleed.y) / scale,
    width: box.width / scale,
    height: box.height / scale,
  });
  const zones: Zone[] = [
    { box: address, name: "address zone", code: "address_zone", tone: "ruins" },
    { box: barcode, name: "barcode zone", code: "barcode_zone", tone: "warn" },
    { box: postage, name: "postage zone", code: "postage_zone", tone: "warn" },
  ];
  return [
    ...(clearZones ? [] : listZoneFindings(first, zones, "back", "The back", toPage)),
    ...listFontFindings(report, "back"),
  ];
}

function listUnread({ unread }: PdfContent, field: string): Finding[] {
  return unread === null ? [] : [{ code: "pdf_unread", tone: "warn", field, text: unread }];
}

function listPaperFindings(
  { pages, total }: PdfContent,
  paper: { width: number; height: number; label: string },
): Finding[] {
  const wrong = pages.findIndex(({ width, height }) => !isPaper(width - paper.width, height - paper.height));
  const page = pages[wrong];
  const findings: Finding[] = [];
  if (page) {
    const turned = isPaper(page.width - paper.height, page.height - paper.width);
    const found = turned ? "is landscape" : `is ${toInches(page.width)} x ${toInches(page.height)} in`;
    const text = `Page ${wrong + 1} ${found}. The letter is printed on ${paper.label}, portrait.`;
    findings.push({ code: "wrong_paper", tone: "warn", field: "file", text });
  }
  if (total > MOST_LETTER_PAGES) {
    const text = formatTooManyPages(total, MOST_LETTER_PAGES);
    findings.push({ code: "too_many_pages", tone: "ruins", field: "file", text });
  }
  return findings;
}

function isPaper(wider: number, higher: number): boolean {
  return Math.abs(wider) <= PAPER_TOLERANCE && Math.abs(higher) <= PAPER_TOLERANCE;
}

type Zone = Pick<Finding, "code"> & { box: Box; name: string; tone: "ruins" | "warn" };

function listZoneFindings(
  page: PdfPageContent,
  zones: readonly Zone[],
  field: string,
  place: string,
  toPage = (box: Box) => box,
): Finding[] {
  return zones.flatMap(({ box, name, code, tone }): Finding[] => {
    const area = toPage(box);
    const inside = page.texts.filter((text) => text.text.trim() !== "" && overlaps(text, area));
    const quoted = shorten(inside.map(({ text }) => text.trim()).join(" "));
    if (quoted === "" && !(page.ink && hasInk(page.ink, area))) return [];
    const what = quoted === "" ? "a picture" : "text";
    const quote = quoted === "" ? "." : `: "${quoted}".`;
    return [{ code, tone, field, text: `${place} has ${what} in the ${name}${quote}`, mark: box }];
  });
}

function listEdgeFindings(pages: readonly PdfPageContent[], safe: Box): Finding[] {
  for (const [at, { texts }] of pages.entries()) {
    const cut = texts.find(({ text, ...box }) => text.trim() !== "" && !contains(safe, box));
    if (!cut) continue;
    const text = `Page ${at + 1} has text at the edge, where it may be cut: "${shorten(cut.text.trim())}".`;
    return [{ code: "edge_text", tone: "warn", field: "file", text }];
  }
  return [];
}

function listFontFindings({ missingFonts, hasType3 }: PdfContent, field: string): Finding[] {
  const findings: Finding[] = [];
  if (missingFonts.length > 0) {
    const text = `The PDF lacks the typeface ${missingFonts.slice(0, 3).join(", ")}, so another may be printed. Embed it.`;
    findings.push({ code: "font_missing", tone: "warn", field, text });
  }
  if (hasType3) {
    const text = "The PDF has Type 3 typefaces, which may print coarsely.";
    findings.push({ code: "font_type3", tone: "warn", field, text });
  }
  return findings;
}

function hasInk({ width, height, dark }: Ink, box: Box): boolean {
  const [left, top] = [Math.max(0, Math.round(box.x)), Math.max(0, Math.round(box.y))];
  const right = Math.min(width, Math.round(box.x + box.width));
  const bottom = Math.min(height, Math.round(box.y + box.height));
  let inked = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) inked += dark[y * width + x] ?? 0;
  }
  // A box of the paper may lie outside of a page of another size.
  return inked > 0 && inked > LEAST_INK * (right - left) * (bottom - top);
}

function overlaps(one: Box, other: Box): boolean {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return across > OVERLAP_TOLERANCE && down > OVERLAP_TOLERANCE;
}

function contains(outer: Box, box: Box): boolean {
  return (
    box.x >= outer.x - OVERLAP_TOLERANCE &&
    box.y >= outer.y - OVERLAP_TOLERANCE &&
    box.x + box.width <= outer.x + outer.width + OVERLAP_TOLERANCE &&
    box.y + box.height <= outer.y + outer.height + OVERLAP_TOLERANCE
  );
}

function shorten(text: string): string {
  return text.length > MOST_QUOTED_CHARS ? `${text.slice(0, MOST_QUOTED_CHARS)}…` : text;
}
