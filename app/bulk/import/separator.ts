/** Separators that spreadsheets put between cells; the first one wins a tie. */
const SEPARATORS = [",", ";", "\t", "|"] as const;

/** Characters that names of columns do not have. */
const OTHER_SIGN = /[^\p{L}\p{N}\p{Cc}\s"'_./&()-]/gu;

/** How the cells of a text are told apart, and where its first row begins. */
export interface Format {
  separator: string;
  /** After Excel's line `sep=;`. */
  start: number;
}

/** The separator that Excel's first line names, else the most frequent one of the header outside of quotes. */
export function findFormat(text: string): Format {
  const named = /^\uFEFF?"?sep=([^\r\n"])"?(\r\n|\r|\n|$)/i.exec(text);
  if (named) return { separator: named[1] ?? ",", start: named[0].length };
  const counts = new Map<string, number>();
  let quoted = false;
  let begun = false;
  for (const character of text) {
    const ends = character === "\n" || character === "\r";
    if (character === '"') quoted = !quoted;
    else if (ends && !quoted && begun) break;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
    begun ||= !ends;
  }
  const best = SEPARATORS.reduce((a, b) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a));
  return { separator: best, start: 0 };
}

/** Finds the likely separator of a header that was read as one column: a character that occurs more than once; null without one. */
export function findOtherSeparator(header: string): string | null {
  const signs: string[] = header.match(OTHER_SIGN) ?? [];
  return signs.find((sign, at) => signs.indexOf(sign) < at) ?? null;
}
