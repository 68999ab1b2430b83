/** What spreadsheets put between two cells; the first wins where two are equally frequent. */
const SEPARATORS = [",", ";", "\t", "|"] as const;

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
