import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderLetterPdf } from "~/print/letter/letter-pdf.server";
import { loadLetterFonts, Shaper } from "~/print/letter/shaper.server";
import { EMPTY_LETTER, formatLongCluster, formatLongLetter, formatLongParagraph } from "~/print/messages";
import { type ReadPage, readLetter } from "../../support/files/letter-reader";
import { readOwnMs } from "../../support/own-time";

type PageSize = "A4" | "US-LETTER";

const ARIAL = { ascent: 0.905 * 12, descent: 0.212 * 12, space: 0.278 * 12 };
const PAGES = [
  { pageSize: "A4", width: 595.28, height: 841.89, first: 37, lines: 48, addressEnds: 78 },
  { pageSize: "US-LETTER", width: 612, height: 792, first: 39, lines: 45, addressEnds: 50.8 },
] as const;

async function make(text: string, pageSize: PageSize = "A4") {
  const outcome = await renderLetterPdf({ text, pageSize });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

async function read(text: string, pageSize: PageSize = "A4"): Promise<ReadPage[]> {
  return readLetter((await make(text, pageSize)).pdf);
}

/** Removes format marks except inside an emoji, as PDF.js does. */
function withoutFormatMarks(text: string): string {
  return text.replace(/(?!\u200D)\p{Cf}/gu, "");
}

function words(text: string): string {
  return withoutFormatMarks(text).replace(/\s+/g, " ").trim();
}

function letters(text: string): string {
  return withoutFormatMarks(text).replace(/\s+/g, "");
}

async function readBack(text: string): Promise<string> {
  return (await read(text)).map((page) => page.text).join("\n");
}

const joinText = (pieces: ReadPage["pieces"]) => pieces.map(({ text }) => text).join("");

/** The pieces of each line, from the top. */
function groupLines(page: ReadPage | undefined): ReadPage["pieces"][] {
  const lines = new Map<number, ReadPage["pieces"]>();
  for (const piece of page?.pieces ?? []) {
    const line = lines.get(piece.baseline) ?? [];
    lines.set(piece.baseline, [...line, piece]);
  }
  return [...lines.entries()].sort(([one], [other]) => other - one).map(([, pieces]) => pieces);
}

describe("the page of a letter made from text", () => {
  it.each(PAGES)(
    "$pageSize is $width by $height points and keeps 72 free on every side",
    async ({ pageSize, width, height, lines }) => {
      const paragraph = "Your account was settled on the twelfth, and nothing is left to pay. ".repeat(9);
      const pages = await read(`${paragraph}\n`.repeat(20), pageSize);
      expect(pages.length).toBeGreaterThan(2);
      for (const page of pages) {
        expect(page.width).toBeCloseTo(width, 2);
        expect(page.height).toBeCloseTo(height, 2);
        for (const piece of page.pieces) {
          expect(piece.left).toBeGreaterThanOrEqual(72);
          expect(piece.right).toBeLessThanOrEqual(width - 72 + 0.01);
          expect(piece.baseline - ARIAL.descent).toBeGreaterThanOrEqual(72);
          expect(piece.baseline + ARIAL.ascent).toBeLessThanOrEqual(height - 72);
        }
      }
      expect(groupLines(pages[1])).toHaveLength(lines);
      expect(Math.max(...groupLines(pages[0]).map(([piece]) => piece?.left ?? 0))).toBeCloseTo(72, 2);
      expect((pages[1]?.pieces[0]?.baseline ?? 0) + ARIAL.ascent).toBeCloseTo(height - 72, -0.5);
    },
  );

  it.each(PAGES)(
    "$pageSize leaves the address zone on the first page free, to $addressEnds mm from its top",
    async ({ pageSize, height, first, addressEnds }) => {
      const [page] = await read("Dear Amelia\n".repeat(100), pageSize);
      const top = Math.max(...(page?.pieces ?? []).map((piece) => piece.baseline)) + ARIAL.ascent;
      expect(height - top).toBeGreaterThan((addressEnds * 72) / 25.4);
      expect(height - top).toBeLessThan((addressEnds * 72) / 25.4 + 2 * 14.4);
      expect(groupLines(page)).toHaveLength(first);
    },
  );

  it("uses the widths of Arial at 12 points", async () => {
    const [page] = await read("nnnnnnnnnn");
    expect(page?.pieces[0]?.right).toBeCloseTo(72 + 10 * 0.556 * 12, 1);
  });
});

describe("the lines of a letter", () => {
  it("end between words", async () => {
    const text = "alphabet bottle carriage ".repeat(30).trim();
    const lines = groupLines((await read(text))[0]).map(joinText);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.join(" ")).toBe(text);
  });

  it("show neither a soft hyphen nor a gap in its place", async () => {
    const [page] = await read("soft\u00ADhyphen");
    expect(page?.pieces.map((piece) => piece.text)).toEqual(["softhyphen"]);
    const [plain] = await read("softhyphen");
    expect(page?.pieces[0]?.right).toBeCloseTo(plain?.pieces[0]?.right ?? 0, 0);
  });

  it("do not break at a no-break space", async () => {
    const text = `${"word ".repeat(15)}12\u00A0March\u00A02026`;
    const lines = groupLines((await read(text))[0]).map(joinText);
    expect(lines.at(-1)?.replaceAll("\u00A0", " ")).toBe("12 March 2026");
  });

  it("break a word that is longer than a line, and lose nothing", async () => {
    const text = `See ${"n".repeat(500)} end`;
    const [page] = await read(text);
    const lines = groupLines(page);
    expect(letters(page?.text ?? "")).toBe(letters(text));
    expect(joinText(lines[0] ?? [])).toBe("See");
    for (const line of lines.slice(1, -1)) {
      const right = line.at(-1)?.right ?? 0;
      expect(right).toBeLessThanOrEqual(595.28 - 72 + 0.01);
      expect(right).toBeGreaterThan(595.28 - 72 - 0.556 * 12);
    }
  });

  it("never break inside an emoji, or between a letter and its accents", async () => {
    const family = "👩‍👩‍👧‍👦";
    const emoji = groupLines((await read(family.repeat(90)))[0]);
    expect(emoji.length).toBeGreaterThan(1);
    for (const line of emoji) expect(joinText(line).replaceAll(family, "")).toBe("");
    const accents = groupLines((await read("q\u0301".repeat(150)))[0]);
    expect(accents.length).toBeGreaterThan(1);
    for (const line of accents) expect(line[0]?.text.startsWith("q\u0301")).toBe(true);
  });

  it("keep blank lines, indents and tabs", async () => {
    const [page] = await read("one\n\n\ntwo\r\n  three\rx\tfour\nlonger\tfive");
    const find = (text: string) => page?.pieces.find((piece) => piece.text === text);
    const top = find("one")?.baseline ?? 0;
    expect(top - (find("two")?.baseline ?? 0)).toBeCloseTo(3 * 14.4, 1);
    expect(top - (find("three")?.baseline ?? 0)).toBeCloseTo(4 * 14.4, 1);
    expect(find("three")?.left).toBeCloseTo(72 + 2 * ARIAL.space, 1);
    expect(find("four")?.left).toBeCloseTo(72 + 36, 1);
    expect(find("five")?.left).toBeCloseTo(72 + 72, 1);
  });

  it("add no page when they are blank at the end", async () => {
    expect((await make(`Yours\n${"\n \n".repeat(100)}`)).pages).toBe(1);
  });
});

describe("the text of a letter can be copied", () => {
  it.each([
    ["accents", "Zoë Brontë, señor Núñez, Łódź, Škoda, İstanbul, Việt Nam, naïve façade, 5 £ = 6 €"],
    ["one glyph for several characters", "Å Å, ½ µ μ Ω Ω, ﬁne office flight, “quoted” – and… — so"],
    ["combining marks", "e\u0301te\u0301 a\u0308 q\u0301 o\u0302\u0323 и\u0306"],
    ["emoji", "Hi 😀, 👍🏽, ❤️, ❤, 👩‍👩‍👧‍👦! 🇬🇧🇫🇷 1️⃣ 👁️‍🗨️ © ©️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 end"],
    ["Hebrew with Latin words and signs", 'פנה אל Amelia Smith ב-Leeds, "טלפון" +44 20 7946 – <a@b.co>.'],
    ["Arabic with Latin words and dates", "تواصل مع Amelia Smith في Leeds يوم 2026-01-05 شكرا 😀 شكرا"],
    ["Persian", "می‌خواهم ۱۲۳ کتاب بخرم"],
    ["right to left in an English line", "Dear שלום עולם, hello (עולם) end. Name: محمد علي (2026) ok"],
    ["numbers in Hebrew in an English line", 'He said "שלום 123 עולם" today, at (רחוב הרצל 12).'],
  ])("%s", async (_name, text) => {
    const { missing } = await make(text);
    expect(missing).toEqual([]);
    expect(words(await readBack(text))).toBe(words(text));
  });

  it.each([
    [
      "Latin, Greek and Cyrillic",
      ["Dear", "(ok)", "office", "e\u0301té", "12,50", "€5", "“x”", "a-b", "Ελλάδα", "и\u0306мя"],
    ],
    [
      "Hebrew",
      ["שלום", "(בדיקה)", "ב-", "ש״ח", "12", "123,45", "2026-01-05", "₪", "50%", "–", "שָׁלוֹם", "<א>", "א/ב"],
    ],
    ["Arabic", ["السلام", "الله،", "(اختبار)", "٤٥٦", "12/05", "2026-01-05", "لا", "بِسْمِ", "؟", "«نص»", "😀"]],
  ])("any line of %s", async (_name, pool) => {
    const line = fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(line, async (typed) => {
        const text = typed.join(" ");
        expect(words(await readBack(text))).toBe(words(text));
      }),
      { numRuns: 25 },
    );
  });
});

describe("right-to-left lines", () => {
  it.each([
    ["שלום", "Amelia", "עולם"],
    ["שלום", "😀", "אחד"],
    ["שלום", "😀", "123"],
  ])("start at the right margin and run to the left: %s, %s, %s", async (...typed) => {
    const [page] = await read(typed.join(" "));
    const pieces = page?.pieces ?? [];
    expect(pieces.map((piece) => letters(piece.text))).toEqual(typed);
    expect(Math.max(...pieces.map((piece) => piece.right))).toBeCloseTo(595.28 - 72, 1);
    expect(pieces.map((piece) => piece.left)).toEqual(
      pieces.map((piece) => piece.left).sort((a, b) => b - a),
    );
  });

  it("show mirrored brackets", async () => {
    const shaper = new Shaper(await loadLetterFonts());
    const glyphOf = (text: string, rightToLeft: boolean) =>
      shaper.shape("text", text, rightToLeft).glyphs[0]?.id;
    expect(glyphOf("(", true)).toBe(glyphOf(")", false));
    expect(glyphOf("(", true)).not.toBe(glyphOf("(", false));
  });

  it("have points in the order of the fonts: the dot of shin before its vowel, shadda before fatha", async () => {
    const shaper = new Shaper(await loadLetterFonts());
    const drawn = (font: "text" | "arabic", text: string) =>
      shaper.shape(font, text, true).glyphs.map(({ text: _, ...glyph }) => glyph);
    expect(drawn("text", "\u05E9\u05B8\u05C1\u05DC")).toEqual(drawn("text", "\u05E9\u05C1\u05B8\u05DC"));
    expect(drawn("arabic", "\u0631\u064E\u0651")).toEqual(drawn("arabic", "\u0631\u0651\u064E"));
  });

  it("determine the direction of each paragraph separately", async () => {
    const [page] = await read("Hello\nשלום\nHello");
    const sides = groupLines(page).map(([piece]) => (piece?.left === 72 ? "left" : "right"));
    expect(sides).toEqual(["left", "right", "left"]);
  });

  it("wrap from right to left, the first words on the first line", async () => {
    const [page] = await read(`ראשון ${"מילה ".repeat(40)}אחרון`);
    const lines = groupLines(page);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]?.[0]?.text.startsWith("ראשון")).toBe(true);
    expect(lines.at(-1)?.[0]?.text.endsWith("אחרון")).toBe(true);
    for (const line of lines) expect(line[0]?.right).toBeCloseTo(595.28 - 72, 1);
  });

  it("join Arabic letters", async () => {
    const widthOf = async (text: string) => {
      const piece = (await read(text))[0]?.pieces[0];
      return (piece?.right ?? 0) - (piece?.left ?? 0);
    };
    expect(await widthOf("ببب")).toBeLessThan(0.8 * (await widthOf("ب ب ب")));
  });
});

describe("unprintable text", () => {
  it("is listed once and drawn as a box; the rest of the letter stays", async () => {
    const text = "Hello 漢字 漢 and ไทย end";
    const { missing, pdf } = await make(text);
    expect(missing).toEqual(["漢", "字", "ไ", "ท", "ย"]);
    const [page] = await readLetter(pdf);
    expect(words(page?.text ?? "")).toBe(text);
    const [withBox] = await read("n漢n");
    const [without] = await read("nn");
    expect(withBox?.pieces.at(-1)?.right).toBeGreaterThan((without?.pieces[0]?.right ?? 0) + 5);
  });

  it("control characters are removed and listed", async () => {
    const { missing, pdf } = await make("a\u0000b\u0007c\u001Bd\u0085e\u007Ff\uFFFFg");
    expect(missing).toEqual(["U+0000", "U+0007", "U+001B", "U+007F", "U+FFFF"]);
    expect((await readLetter(pdf))[0]?.text.trim()).toBe("abcd\nefg");
  });

  it("a lone surrogate becomes a replacement character", async () => {
    const { missing, pdf } = await make("a\uD83Db\uDE00c");
    expect(missing).toEqual(["U+D83D", "U+DE00"]);
    expect(words((await readLetter(pdf))[0]?.text ?? "")).toBe("a\uFFFDb\uFFFDc");
  });

  it.each(["", " \n\t\n", "\u200B\uFEFF", "\u0000"])("%j is refused as empty", async (text) => {
    const failure = { code: "bad_input", message: EMPTY_LETTER };
    expect(await renderLetterPdf({ text, pageSize: "A4" })).toEqual({ ok: false, failure });
  });
});

describe("the limits of a letter", () => {
  it("is 200,000 characters", async () => {
    const outcome = await renderLetterPdf({ text: "n".repeat(200_001), pageSize: "A4" });
    expect(outcome).toMatchObject({ ok: false, failure: { code: "too_large" } });
    expect(!outcome.ok && outcome.failure.message).toBe(formatLongLetter(200_001, 200_000, "characters"));
  });

  it("is 64 pages", async () => {
    expect((await make("a\n".repeat(37 + 63 * 48))).pages).toBe(64);
    const outcome = await renderLetterPdf({ text: "a\n".repeat(37 + 63 * 48 + 1), pageSize: "A4" });
    expect(outcome).toMatchObject({ ok: false, failure: { code: "too_large" } });
    expect(!outcome.ok && outcome.failure.message).toBe(formatLongLetter(65, 64, "pages"));
  });

  it.each([
    ["one Hebrew paragraph", "שלום עולם ".repeat(5_000)],
    ["one word of emoji", "😀".repeat(20_000)],
    ["zero-width spaces on one line", `a${"\u200B".repeat(49_000)}`],
    ["zero-width spaces on right-to-left lines", `${`א${"\u200B".repeat(20_000)}\n`.repeat(3)}`],
    ["nested directions", `א${"\u2067a\u2069 ".repeat(12_000)}`],
    ["open brackets", `א${"(".repeat(49_000)}`],
    ["one Latin word", "n".repeat(50_000)],
    ["one Arabic word", "ببب".repeat(16_000)],
  ])("%s takes only seconds", async (_name, text) => {
    const startedAt = readOwnMs();
    expect((await make(text)).pages).toBeGreaterThan(0);
    expect(readOwnMs() - startedAt).toBeLessThan(20_000);
  });

  it("other spaces between tabs take about as long as tabs", async () => {
    const measure = async (text: string) => {
      const startedAt = readOwnMs();
      await make(`א${text.repeat(12_000)}`);
      return readOwnMs() - startedAt;
    };
    expect(await measure("\t\u2003\t\u200B")).toBeLessThan(3 * (await measure("\t\t\t\t")));
  });
});

describe("a letter's text is refused with a message", () => {
  it.each([
    ["zero-width spaces", `a${"\u200B".repeat(199_999)}`, formatLongParagraph(200_000, 50_000)],
    ["a paragraph of letters", "n".repeat(50_001), formatLongParagraph(50_001, 50_000)],
    ["accents on one letter", `a${"\u0301".repeat(49_000)}`, formatLongCluster(100)],
    ["accents on many letters", `a${"\u0301".repeat(101)}\n`.repeat(1_500), formatLongCluster(100)],
    ["joined emoji", Array(2_000).fill("👩").join("\u200D"), formatLongCluster(100)],
    ["joined Hangul parts", "\u1100".repeat(40_000), formatLongCluster(100)],
  ])("when it has %s", async (_name, text, message) => {
    const startedAt = readOwnMs();
    const outcome = await renderLetterPdf({ text, pageSize: "A4" });
    expect(readOwnMs() - startedAt).toBeLessThan(5_000);
    expect(outcome).toEqual({ ok: false, failure: { code: "too_large", message } });
  });

  it("but not for common accents and combining parts", async () => {
    expect((await make(`${`a${"\u0301".repeat(90)} `}👩🏽‍❤️‍💋‍👨🏽 שָׁלוֹם`)).pages).toBe(1);
  });
});

describe("the bytes of a letter", () => {
  const text = "Dear Zoë,\n\ne\u0301té, office 😀 שלום (עולם) السلام 漢\n\nYours";

  it("are the same for the same text, after any earlier letters", async () => {
    const first = await make(text);
    await make("é Å e\u0301 سلام 👩‍👩‍👧 other glyphs first");
    const [second, third] = await Promise.all([make(text), make(text), make("concurrent: سلام é")]);
    expect(Buffer.from(second.pdf).equals(Buffer.from(first.pdf))).toBe(true);
    expect(Buffer.from(third.pdf).equals(Buffer.from(first.pdf))).toBe(true);
  });

  it("are few, because only the used glyphs are embedded", async () => {
    expect((await make(text)).pdf.length).toBeLessThan(25_000);
    const full = `${"Pack my box with five dozen liquor jugs — ÄÖÜ, 0123456789. ".repeat(40)}😀 שלום السلام`;
    expect((await make(full)).pages).toBe(1);
    expect((await make(full)).pdf.length).toBeLessThan(50_000);
  });
});
