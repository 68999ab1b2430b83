import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { create, type Font, type Glyph } from "fontkit";

const FILES = {
  text: "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf",
  arabic: "@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf",
  emoji: "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf",
} as const;

export type LetterFonts = Record<keyof typeof FILES, Font>;

let loading: Promise<LetterFonts> | undefined;

/** The fonts of a letter, read from their packages once. Arimo has Arial's widths. */
export function loadLetterFonts(): Promise<LetterFonts> {
  loading ??= readFontFiles().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function readFontFiles(): Promise<LetterFonts> {
  const { resolve } = createRequire(import.meta.url);
  const open = async (file: string) => withOwnCharacters(create(await readFile(resolve(file))));
  const [text, arabic, emoji] = await Promise.all([open(FILES.text), open(FILES.arabic), open(FILES.emoji)]);
  return { text, arabic, emoji };
}

/**
 * fontkit keeps a glyph with the characters it first stood for, in whatever text that was, and shapes by them.
 * Here each use of a glyph has its own, so that a text always gives the same letter.
 */
function withOwnCharacters(font: Font): Font {
  const getShared = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []): Glyph =>
    Object.create(getShared(id), { codePoints: { value: codePoints } });
  return font;
}
