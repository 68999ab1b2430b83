import { FONT_SIZE } from "./page";
import { type Atom, listCharacters } from "./paragraph.server";
import type { Shaper } from "./shaper.server";

const TAB_STOP = (36 / FONT_SIZE) * 1000;
/** Half a hundredth of a point, because sums of widths are not exact. */
const SLACK = 0.4;

/**
 * Breaks a paragraph into lines no wider than `width` (1/1000 em). Words move whole to the next line; a word longer than
 * a line is broken between characters. Spaces at the end of a line are dropped.
 */
export function wrap(atoms: readonly Atom[], width: number, shaper: Shaper): Atom[][] {
  const setter = new LineBuilder(width, shaper);
  for (const word of joinWords(atoms)) setter.add(word);
  return setter.finish();
}

/** Spaces and tabs on their own; words together with everything that must stay on the same line. */
function joinWords(atoms: readonly Atom[]): Atom[][] {
  const words: Atom[][] = [];
  let joins = false;
  for (const atom of atoms) {
    const last = words.at(-1);
    if (joins && last && atom.kind === "word") last.push(atom);
    else words.push([atom]);
    joins = atom.kind === "word" && !atom.breakable;
  }
  return words;
}

class LineBuilder {
  private readonly lines: Atom[][] = [];
  private line: Atom[] = [];
  private filled = 0;

  constructor(
    private readonly width: number,
    private readonly shaper: Shaper,
  ) {}

  add(word: Atom[]): void {
    const [first] = word;
    if (first?.kind === "tab") this.push(this.stretchTab(first));
    else if (first?.kind === "space") this.push(first);
    else this.addWord(word);
  }

  finish(): Atom[][] {
    this.endLine();
    return this.lines;
  }

  private addWord(word: Atom[]): void {
    const wide = word.reduce((sum, atom) => sum + atom.width, 0);
    const started = this.line.some((atom) => atom.kind === "word");
    if (!this.fits(wide) && (started || wide <= this.width)) this.endLine();
    for (const atom of word) {
      if (this.fits(atom.width)) this.push(atom);
      else this.pushBroken(atom);
    }
  }

  /** Breaks a word that is longer than a line. Its characters are measured together, because joined letters change width. */
  private pushBroken(atom: Atom): void {
    const cut = (text: string) => ({ ...atom, ...this.shaper.shape(atom.font, text, atom.level % 2 === 1) });
    let part = "";
    for (const character of listCharacters(atom.text)) {
      const longer = part + character;
      if (this.fits(cut(longer).width) || (part === "" && this.line.length === 0)) part = longer;
      else {
        if (part !== "") this.push(cut(part));
        this.endLine();
        part = character;
      }
    }
    this.push(cut(part));
  }

  private stretchTab(tab: Atom): Atom {
    const stop = (Math.floor((this.filled + tab.width) / TAB_STOP) + 1) * TAB_STOP;
    const width = stop - this.filled;
    return { ...tab, width, glyphs: tab.glyphs.map((glyph) => ({ ...glyph, advance: width })) };
  }

  private fits(width: number): boolean {
    return this.filled + width <= this.width + SLACK;
  }

  private push(atom: Atom): void {
    this.line.push(atom);
    this.filled += atom.width;
  }

  private endLine(): void {
    const line = this.line;
    while (line.length > 0 && line.at(-1)?.kind !== "word") line.pop();
    this.lines.push(line);
    this.line = [];
    this.filled = 0;
  }
}
