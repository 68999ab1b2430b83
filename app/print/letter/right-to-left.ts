/**
 * PDF.js reads a text run from left to right and reverses it if enough of it is Hebrew or Arabic. The runs of a letter
 * are cut so that this gives the text as typed.
 */

const LETTERS =
  "\\u0590-\\u05F4\\u0608\\u060B\\u060D\\u061B-\\u064A\\u066D-\\u066F\\u0671-\\u06D5\\u06E5\\u06E6\\u06EE\\u06EF\\u06FA-\\u08AC\\uFB50-\\uFDFF\\uFE70-\\uFEFF";
const DIGITS = "\\d\\u0660-\\u0669\\u06F0-\\u06F9";
const JOINED = "\\p{Mn}\\p{Cf}";

const LETTER = new RegExp(`[${LETTERS}]`, "gu");
const WORD_PARTS = new RegExp(`[${LETTERS}${JOINED}]+|.`, "gsu");
/** Letters, digits and the characters whose direction PDF.js knows; it drops angle brackets. */
const KNOWN = new RegExp(
  `^(?:[${LETTERS}${JOINED}${DIGITS}\\u060C]|(?![<>])[\\x20-\\x7E\\xA0\\xA1\\xAB\\xBB])*$`,
  "u",
);
/** After Arabic letters these characters separate digits, but PDF.js sees one number. */
const SIGNED = new RegExp(`[${DIGITS}][-+#$%]|[-+#$%][${DIGITS}]`, "u");
const NUMBER = new RegExp(`^[${DIGITS}]+(?:[.,:/][${DIGITS}]+)*$`, "u");

/** Cuts the sequences of letters in a right-to-left word, and each other character alone. */
export function cutRightToLeft(word: string): string[] {
  return word.match(WORD_PARTS) ?? [];
}

/** True when PDF.js reads a right-to-left text in the right order when it is one run. */
export function isReadInOrder(text: string): boolean {
  const seen = text.replace(/ +/g, " ");
  if (!KNOWN.test(seen) || SIGNED.test(seen)) return false;
  return (seen.match(LETTER)?.length ?? 0) * 3 >= seen.length;
}

/** True when a left-to-right word may be part of such a run. */
export function isNumber(word: string): boolean {
  return NUMBER.test(word);
}

export function endsInMark(text: string): boolean {
  return /\p{Mn}$/u.test(text);
}

/**
 * Returns a space with a direction mark before it. PDF.js keeps a plain space only if the next letter is to its
 * right, and misplaces a combining mark there.
 */
export function firmSpace(rightToLeft: boolean): string {
  return rightToLeft ? "\u061C " : "\u200E ";
}
