import type { Atom } from "./paragraph.server";
import { endsInMark, firmSpace, isNumber, isReadInOrder } from "./right-to-left";
import type { FontName, PlacedGlyph } from "./shaper.server";

/** Text drawn in one go, with one font and one direction. Lengths are 1/1000 em. */
export type TextRun = ReturnType<typeof placeTextRuns>[number];

type AtomRun = { font: FontName; level: number; text: string; atoms: Atom[] };

/** Joins a line's atoms to runs in reading order, each with its position. */
export function placeTextRuns(atoms: readonly Atom[]) {
  const left = findLeftEdges(atoms);
  return joinRuns(atoms).map((run) => {
    const rightToLeft = run.level % 2 === 1;
    const parts = run.atoms.map((atom, place) => ({
      ...atom,
      x: left.get(atom) ?? 0,
      glyphs: needsFirmSpace(run, place) ? firmUp(atom.glyphs, rightToLeft) : atom.glyphs,
    }));
    const placed = [...parts].sort((one, other) => one.x - other.x);
    return {
      font: run.font,
      /** Bidirectional level: odd is right-to-left, 0 is plain left-to-right text. */
      level: run.level,
      /** The left edge, from the left edge of the line. */
      x: placed[0]?.x ?? 0,
      /** In reading order. */
      text: run.text,
      /** From left to right. */
      glyphs: placed.flatMap((part) => part.glyphs),
      /** A combining mark is at the left edge. */
      endsInMark: rightToLeft && endsInMark(run.text),
      /** Its words, spaces and tabs in reading order. `x` is the left edge, as above. */
      parts,
    };
  });
}

/** Finds each atom's left edge, in display order (Unicode bidirectional algorithm, rule L2). */
function findLeftEdges(atoms: readonly Atom[]): Map<Atom, number> {
  const order = [...atoms];
  const highest = atoms.reduce((most, atom) => Math.max(most, atom.level), 0);
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while (to < order.length && (order[to]?.level ?? 0) >= level) to++;
      for (const [at, atom] of order.slice(from, to).entries()) order[to - 1 - at] = atom;
      from = Math.max(from, to);
    }
  }
  const edges = new Map<Atom, number>();
  let x = 0;
  for (const atom of order) {
    edges.set(atom, x);
    x += atom.width;
  }
  return edges;
}

function joinRuns(atoms: readonly Atom[]): AtomRun[] {
  const runs: AtomRun[] = [];
  for (const atom of atoms) {
    const last = runs.at(-1);
    if (last && joins(last, atom)) {
      last.atoms.push(atom);
      last.text += atom.text;
    } else runs.push({ font: atom.font, level: atom.level, text: atom.text, atoms: [atom] });
  }
  return runs;
}

function joins(run: AtomRun, atom: Atom): boolean {
  if (atom.font !== run.font) return false;
  if (run.level % 2 === 0) return atom.level === run.level;
  const inside = atom.level === run.level || (atom.level === run.level + 1 && isNumber(atom.text));
  return inside && isReadInOrder(run.text + atom.text);
}

function needsFirmSpace(run: AtomRun, place: number): boolean {
  if (run.level === 0 || run.atoms[place]?.kind === "word") return false;
  const outer = place === 0 || place === run.atoms.length - 1;
  return outer || (run.level % 2 === 1 && endsInMark(run.atoms[place - 1]?.text ?? ""));
}

function firmUp(glyphs: PlacedGlyph[], rightToLeft: boolean): PlacedGlyph[] {
  return glyphs.map((glyph) => ({ ...glyph, text: firmSpace(rightToLeft) }));
}
