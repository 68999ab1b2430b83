import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Font, Glyph } from "fontkit";

const FILES = {
  text: "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf",
  arabic: "@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf",
  emoji: "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf",
} as const;

export type LetterFonts = Record<keyof typeof FILES, Font>;

let loading: Promise<LetterFonts> | undefined;

/** Loads the fonts of a letter from their packages once. Arimo has the widths of Arial. */
export function loadLetterFonts(): Promise<LetterFonts> {
  loading ??= loadFontFiles().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadFontFiles(): Promise<LetterFonts> {
  const { resolve } = createRequire(import.meta.url);
  // Loaded with the first letter: at the start of the console it would be a tenth of what that takes.
  const { create } = await import("fontkit");
  const open = async (file: string) => withOwnCharacters(create(await readFile(resolve(file))));
  const [text, arabic, emoji] = await Promise.all([open(FILES.text), open(FILES.arabic), open(FILES.emoji)]);
  return { text, arabic, emoji };
}

/**
 * fontkit caches a glyph with the characters of its first use and shapes later text by them. Here each use gets its own
 * characters, so that the same text always gives the same letter.
 */
function withOwnCharacters(font: Font): Font {
  const getShared = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []): Glyph =>
    Object.create(getShared(id), { codePoints: { value: codePoints } });
  return font;
}
