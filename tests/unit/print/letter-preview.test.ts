import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { buildPreviewState } from "~/print/layout/preview-content";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { renderLetterPdf } from "~/print/letter/letter-pdf.server";
import { findPageSize, PAGE_SIZES } from "~/print/letter/page";
import { LetterPreview } from "~/print/preview/letter-preview";
import { FIRST_VIEW } from "~/print/preview/preview-view";
import { type ReadGlyph, readGlyphs } from "../../support/files/letter-reader";
import { howMany } from "../../support/money/how-many";
import { createRandom, type Random } from "../../support/random";

const LETTERS = howMany({ short: 20, long: 1_000 });
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const TOLERANCE_PT = 0.1;

interface Drawn {
  left: number;
  right: number;
  /** From the bottom of the page, as in a PDF. */
  baseline: number;
  text: string;
}

/** The text on each page of the preview's markup. */
function readMarkup(html: string, height: number): Drawn[][] {
  return html
    .split("<li>")
    .slice(1)
    .map((page) => {
      const text = /<g [^>]*font-size="12" fill="black">(.*?)<\/g>/s.exec(page)?.[1] ?? "";
      return [...text.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = "", content = ""]) => {
        const find = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
        const start = Number(find("x"));
        const width = Number(find("textLength"));
        const turned = find("direction") === "rtl";
        return {
          left: turned ? start - width : start,
          right: turned ? start : start + width,
          baseline: height - Number(find("y")),
          text: content.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ENTITIES[name] ?? ""),
        };
      });
    });
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** The letters of a text in a fixed order, without those that have no width. */
function sortLetters(text: string): string {
  return [...text.normalize("NFD").replace(/[\s\p{Cf}\p{M}]/gu, "")].sort().join("");
}

/** The first difference between a text's preview and its PDF; null when they are equal. */
async function findDifference(text: string, home: "US" | "GB"): Promise<string | null> {
  const pageSize = findPageSize(home);
  const [drawn, printed] = await Promise.all([
    drawLetter(text, pageSize),
    renderLetterPdf({ text, pageSize }),
  ]);
  if (!drawn.ok || !printed.ok) return "not laid out";
  const values = { content: text };
  const state = buildPreviewState({ kind: "letter", values, files: {}, recipients: [], home });
  const html = renderToStaticMarkup(
    createElement(LetterPreview, { ...FIRST_VIEW, marks: [], state, text: drawn.value }),
  );
  const pages = readMarkup(html, PAGE_SIZES[pageSize].height);
  const inPdf = await readGlyphs(printed.value.pdf);
  if (pages.length !== inPdf.length) return `${pages.length} pages, ${inPdf.length} in the PDF`;
  for (const [at, page] of pages.entries()) {
    const difference = comparePages(page, inPdf[at] ?? []);
    if (difference) return `page ${at + 1}: ${difference}`;
  }
  return null;
}

function comparePages(page: Drawn[], glyphs: ReadGlyph[]): string | null {
  const seen = glyphs.filter(({ text }) => /[^\s\p{Cf}]/u.test(text));
  const near = (one: number, other: number) => Math.abs(one - other) <= TOLERANCE_PT;
  const countLines = (parts: { baseline: number }[]) =>
    new Set(parts.map(({ baseline }) => baseline.toFixed(1))).size;
  if (countLines(page) !== countLines(seen))
    return `${countLines(page)} lines, ${countLines(seen)} in the PDF`;
  const covered = new Set<ReadGlyph>();
  for (const part of page) {
    const line = glyphs.filter(({ baseline }) => near(baseline, part.baseline));
    if (!line.some(({ left }) => near(left, part.left)))
      return `nothing starts at ${part.left}: ${part.text}`;
    if (!line.some(({ right }) => near(right, part.right)))
      return `nothing ends at ${part.right}: ${part.text}`;
    const inside = line.filter(
      ({ left, right }) => left >= part.left - TOLERANCE_PT && right <= part.right + TOLERANCE_PT,
    );
    const letters = inside.map(({ text }) => text).join("");
    if (sortLetters(letters) !== sortLetters(part.text)) return `${part.text} is ${letters} in the PDF`;
    for (const glyph of inside) covered.add(glyph);
  }
  const left = seen.find((glyph) => !covered.has(glyph));
  return left ? `${left.text} at ${left.left} is not drawn` : null;
}

const WORDS: readonly string[][] = [
  ["Dear", "(ok)", "office", "AVATAR", "To", "“x”", "a-b", "well-known", "12,50", "€5", "Łódź", "Việt", "é"],
  ["e\u0301té", "q\u0301", "и\u0306мя", "Ελλάδα", "Съешь", "soft\u00ADhyphen", "12\u00A0March", "dash—dash"],
  ["שלום", "(בדיקה)", "ש״ח", "123,45", "2026-01-05", "50%", "שָׁלוֹם", "א/ב", "ב-Leeds"],
  ["السلام", "الله،", "(اختبار)", "٤٥٦", "12/05", "لا", "بِسْمِ", "«نص»", "می‌خواهم"],
  ["😀", "👍🏽", "👩‍👩‍👧‍👦", "🇬🇧", "1️⃣", "❤️"],
];
const GAPS = [" ", " ", " ", " ", " ", " ", "  ", "\t", "\n", "\n\n", "\u200B", "-"];

/** A letter of one to three pages: one or several scripts, long words, hyphens, tabs, indents and blank lines. */
function writeRandomLetter(random: Random): string {
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item;
  const scripts = WORDS.filter(() => random() < 0.4);
  const pools = [WORDS[0] ?? [], ...scripts];
  const words = 20 + Math.floor(random() ** 3 * 900);
  let text = "";
  for (let count = 0; count < words; count++) {
    const word = pick(pick(pools));
    text += random() < 0.01 ? word.repeat(5 + Math.floor(random() * 60)) : word;
    text += pick(GAPS);
  }
  return text;
}

it(`the preview of a letter has the pages, lines and positions of its PDF: ${LETTERS} random letters, seed ${SEED}`, {
  timeout: 600_000,
}, async () => {
  const random = createRandom(SEED);
  for (let count = 0; count < LETTERS; count++) {
    const text = writeRandomLetter(random);
    const difference = await findDifference(text, count % 2 === 0 ? "US" : "GB");
    expect(
      difference,
      `letter ${count + 1} of seed ${SEED}: ${JSON.stringify(text.slice(0, 300))}`,
    ).toBeNull();
  }
});
