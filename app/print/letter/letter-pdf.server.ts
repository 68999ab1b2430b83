import { buffer } from "node:stream/consumers";
import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { NO_LETTER_PDF } from "../messages";
import { EmbeddedFont, toUtf16Hex } from "./embedded-font.server";
import {
  isLongLetter,
  type LetterLayout,
  type LetterSource,
  layoutLetter,
  type PlacedLine,
  toPoints,
} from "./letter-layout.server";
import type { TextRun } from "./line.server";
import { FONT_SIZE, PAGE_SIZES, type PageSize, round } from "./page";
import { firmSpace } from "./right-to-left";
import type { FontName, PlacedGlyph } from "./shaper.server";

/** `missing` is that of {@link LetterLayout}. */
export type LetterPdf = { pdf: Uint8Array; pages: number; missing: string[] };

/** {@link makeLetterPdf}, in a thread of its own when the text is long. */
export async function renderLetterPdf(source: LetterSource): Promise<Outcome<LetterPdf>> {
  const made = await doHeavyWork(MAKE_LETTER_PDF, source);
  return made.ok ? made.value : made;
}

/** Makes a letter's PDF. The same text and page size always give the same bytes, so that a retry is the same request. */
export async function makeLetterPdf({ text, pageSize }: LetterSource): Promise<Outcome<LetterPdf>> {
  const layout = await layoutLetter(text, pageSize);
  if (!layout.ok) return layout;
  const { pages, missing } = layout.value;
  return succeed({ pdf: await drawPages(layout.value, pageSize), pages: pages.length, missing });
}

export const MAKE_LETTER_PDF: HeavyJob<LetterSource, Outcome<LetterPdf>> = {
  name: "letter.pdf",
  run: makeLetterPdf,
  isLarge: isLongLetter,
  notDone: NO_LETTER_PDF,
};

async function drawPages({ pages, fonts: files }: LetterLayout, pageSize: PageSize): Promise<Uint8Array> {
  const { width, height } = PAGE_SIZES[pageSize];
  const { default: PDFDocument } = await import("pdfkit");
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [width, height],
    margin: 0,
    pdfVersion: "1.7",
    // The current time would give the same text different bytes each time.
    info: { CreationDate: new Date(0) },
  });
  const fonts = new Map<FontName, EmbeddedFont>();
  for (const lines of pages) {
    document.addPage();
    const operators = lines.flatMap(drawLine);
    // pdfkit turns the y axis to point down; this turns it back.
    document.addContent(`1 0 0 -1 0 ${height} cm\nBT\n${operators.join("\n")}\nET`);
  }
  for (const font of fonts.values()) font.embed();
  document.end();
  return new Uint8Array(await buffer(document));

  function drawLine({ left, baseline, runs }: PlacedLine): string[] {
    return runs.map((run) => {
      const font = takeFont(run.font);
      document.page.fonts[font.name] = font.reference;
      return drawTextRun(run, font, left + toPoints(run.x), height - baseline);
    });
  }

  function takeFont(name: FontName): EmbeddedFont {
    let font = fonts.get(name);
    if (!font) {
      font = new EmbeddedFont(document, files[name], `F${fonts.size + 1}`);
      fonts.set(name, font);
    }
    return font;
  }
}

/** PDF operators that draw the run with its left edge at `x` and its baseline at `y` (points). */
function drawTextRun(run: TextRun, font: EmbeddedFont, x: number, y: number): string {
  const operators: string[] = [];
  let parts: string[] = [];
  let codes = "";
  /** Distance of the pen to the left of its target, in 1/1000 em. */
  let lag = 0;
  let rise = 0;
  if (run.endsInMark) {
    // A tiny space tells PDF.js where the run starts: it ignores marks and characters without width for that.
    codes += font.encodeUnseen(firmSpace(true), 1);
    lag -= 1;
  }
  // Emoji have runs of their own, and PDF.js does not reverse a run without letters.
  const turned = run.level % 2 === 1 && run.font !== "emoji";
  for (const glyph of run.glyphs) addGlyph(glyph);
  setRise(0);
  closeText();
  const drawn = `/${font.name} ${FONT_SIZE} Tf 1 0 0 1 ${round(x)} ${round(y)} Tm\n${operators.join("\n")}`;
  if (run.level === 0) return drawn;
  // Keeps PDF.js from joining the run with its neighbours, and gives other readers the text as typed.
  return `/Span <</ActualText <feff${toUtf16Hex(run.text)}>>> BDC\n${drawn}\nEMC`;

  function addGlyph(glyph: PlacedGlyph): void {
    const [text = "\u2060", ...others] = splitText(glyph.text, turned);
    const unseen = others.map((other) => font.encodeUnseen(other));
    if (turned) codes += unseen.reverse().join("");
    setRise(glyph.dy);
    lag += glyph.dx;
    movePen();
    const { hex, width } = font.encode(glyph.id, text);
    codes += hex;
    lag += glyph.advance - glyph.dx - width;
    if (!turned) codes += unseen.join("");
  }

  function movePen(): void {
    const move = round(lag);
    if (move === 0) return;
    closeCodes();
    parts.push(String(-move));
    lag -= move;
  }

  function setRise(next: number): void {
    if (round(next) === round(rise)) return;
    closeText();
    operators.push(`${round((next * FONT_SIZE) / 1000)} Ts`);
    rise = next;
  }

  function closeCodes(): void {
    if (codes !== "") parts.push(`<${codes}>`);
    codes = "";
  }

  function closeText(): void {
    closeCodes();
    if (parts.length > 0) operators.push(`[${parts.join(" ")}] TJ`);
    parts = [];
  }
}

/**
 * The texts of a glyph's codes: the first is the glyph's own, the others are invisible. PDF readers reverse right-to-left
 * text code by code, so each character needs its own there. PDF.js also skips a code that ends in a format character and
 * treats a code that contains a combining mark as a mark.
 */
function splitText(text: string, turned: boolean): string[] {
  if (text === firmSpace(true) || text === firmSpace(false)) return [text];
  return turned ? [...text] : (text.match(/\p{Mn}|\p{Cf}*[^\p{Mn}\p{Cf}]+|\p{Cf}+/gu) ?? []);
}
