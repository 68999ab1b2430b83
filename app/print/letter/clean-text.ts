const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const CONTROLS = /(?!\t)\p{Cc}|[\uFFFE\uFFFF]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;

/**
 * The text's printable lines, without blank lines at the end, and the unprintable characters, as `U+0007`, in the order
 * met. Control characters are left out; a half character (lone surrogate) becomes U+FFFD.
 */
export function cleanText(text: string): { lines: string[]; unprintable: string[] } {
  const unprintable = new Set<string>();
  const note = (replacement: string) => (character: string) => {
    unprintable.add(formatCodePoint(character));
    return replacement;
  };
  const lines = text
    .replace(LINE_ENDS, "\n")
    .split("\n")
    .map((line) => line.replace(CONTROLS, note("")).replace(LONE_SURROGATES, note("\uFFFD")));
  while (lines.length > 0 && !/\S/.test(lines[lines.length - 1] ?? "")) lines.pop();
  return { lines, unprintable: [...unprintable] };
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
