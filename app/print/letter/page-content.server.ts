import { type EmbeddedFont, toUtf16Hex } from "./embedded-font.server";
import type { TextRun } from "./line.server";
import { FONT_SIZE } from "./page";
import { firmSpace, isFirmSpace } from "./right-to-left";
import type { PlacedGlyph } from "./shaper.server";

/** PDF operators that draw the run with its left edge at `x` and its baseline at `y` (points). */
export function drawTextRun(run: TextRun, font: EmbeddedFont, x: number, y: number): string {
  const show = new GlyphWriter(font);
  if (run.endsInMark) show.addGuard();
  // Emoji have runs of their own, and PDF.js does not reverse a run without letters.
  const turned = run.level % 2 === 1 && run.font !== "emoji";
  for (const glyph of run.glyphs) show.add(glyph, turned);
  const drawn = `/${font.name} ${FONT_SIZE} Tf 1 0 0 1 ${round(x)} ${round(y)} Tm\n${show.finish()}`;
  if (run.level === 0) return drawn;
  // Keeps PDF.js from joining the run with its neighbours, and gives other readers the text as typed.
  return `/Span <</ActualText <feff${toUtf16Hex(run.text)}>>> BDC\n${drawn}\nEMC`;
}

class GlyphWriter {
  private readonly operators: string[] = [];
  private parts: string[] = [];
  private codes = "";
  /** Distance of the pen to the left of its target, in 1/1000 em. */
  private lag = 0;
  private rise = 0;

  constructor(private readonly font: EmbeddedFont) {}

  add(glyph: PlacedGlyph, turned: boolean): void {
    const [text = "\u2060", ...others] = splitText(glyph.text, turned);
    const unseen = others.map((other) => this.font.encodeUnseen(other));
    if (turned) this.codes += unseen.reverse().join("");
    this.setRise(glyph.dy);
    this.lag += glyph.dx;
    this.movePen();
    const { hex, width } = this.font.encode(glyph.id, text);
    this.codes += hex;
    this.lag += glyph.advance - glyph.dx - width;
    if (!turned) this.codes += unseen.join("");
  }

  /** A tiny space that tells PDF.js where the run starts: it ignores marks and characters without width for that. */
  addGuard(): void {
    this.codes += this.font.encodeUnseen(firmSpace(true), 1);
    this.lag -= 1;
  }

  finish(): string {
    this.setRise(0);
    this.closeText();
    return this.operators.join("\n");
  }

  private movePen(): void {
    const move = round(this.lag);
    if (move === 0) return;
    this.closeCodes();
    this.parts.push(String(-move));
    this.lag -= move;
  }

  private setRise(rise: number): void {
    if (round(rise) === round(this.rise)) return;
    this.closeText();
    this.operators.push(`${round((rise * FONT_SIZE) / 1000)} Ts`);
    this.rise = rise;
  }

  private closeCodes(): void {
    if (this.codes !== "") this.parts.push(`<${this.codes}>`);
    this.codes = "";
  }

  private closeText(): void {
    this.closeCodes();
    if (this.parts.length > 0) this.operators.push(`[${this.parts.join(" ")}] TJ`);
    this.parts = [];
  }
}

/**
 * The texts of a glyph's codes: the first is the glyph's own, the others are invisible. PDF readers reverse right-to-left
 * text code by code, so each character needs its own there. PDF.js also skips a code that ends in a format character and
 * treats a code that contains a combining mark as a mark.
 */
function splitText(text: string, turned: boolean): string[] {
  if (isFirmSpace(text)) return [text];
  return turned ? [...text] : (text.match(/\p{Mn}|\p{Cf}*[^\p{Mn}\p{Cf}]+|\p{Cf}+/gu) ?? []);
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
