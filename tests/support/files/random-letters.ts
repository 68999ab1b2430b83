import type { Random } from "../random";

const WORDS: readonly string[][] = [
  ["Dear", "(ok)", "office", "AVATAR", "To", "“x”", "a-b", "well-known", "12,50", "€5", "Łódź", "Việt", "é"],
  ["e\u0301té", "q\u0301", "и\u0306мя", "Ελλάδα", "Съешь", "soft\u00ADhyphen", "12\u00A0March", "dash—dash"],
  ["שלום", "(בדיקה)", "ש״ח", "123,45", "2026-01-05", "50%", "שָׁלוֹם", "א/ב", "ב-Leeds"],
  ["السلام", "الله،", "(اختبار)", "٤٥٦", "12/05", "لا", "بِسْمِ", "«نص»", "می‌خواهم"],
  ["😀", "👍🏽", "👩‍👩‍👧‍👦", "🇬🇧", "1️⃣", "❤️"],
];
const GAPS = [" ", " ", " ", " ", " ", " ", "  ", "\t", "\n", "\n\n", "\u200B", "-"];

/** A letter of one to three pages: one or several scripts, long words, hyphens, tabs, indents and blank lines. */
export function writeRandomLetter(random: Random): string {
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
