/**
 * A parser for the part of PDF's syntax (ISO 32000-1, section 7.3) that trailers and page trees use. Strings, booleans and
 * null all become null and names become strings, because nothing more is needed.
 */
export type PdfValue = null | number | string | PdfReference | PdfValue[] | PdfDictionary;
export type PdfDictionary = Map<string, PdfValue>;

interface PdfReference {
  objectNumber: number;
}

/** A position in a part of a file, as Latin-1 text. */
export interface PdfText {
  text: string;
  at: number;
}

const DEPTH_LIMIT = 32;
/** White space (section 7.2.2), as a character class. */
export const WHITE = "[\\0\\t\\n\\f\\r ]";
/** The characters of names and words, as a character class. */
const REGULAR = "[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]";
// Sticky and without nested repeats, so that each takes linear time.
const SPACE = new RegExp(`${WHITE}+|%[^\\r\\n]*`, "y");
const REFERENCE = new RegExp(`(\\d{1,10})${WHITE}+\\d{1,5}${WHITE}+R(?!${REGULAR})`, "y");
const NUMBER = /[+-]?[\d.]+/y;
const NAME = new RegExp(`/(${REGULAR}*)`, "y");
const HEX_STRING = /<[^<>]*>/y;
const WORD = /(?:true|false|null)\b/y;
const OBJECT_START = new RegExp(`(\\d{1,10})${WHITE}+\\d{1,5}${WHITE}+obj`, "y");

/** Matches a pattern at the current position and moves past it; null without a match. */
export function take(source: PdfText, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = source.at;
  const match = sticky.exec(source.text);
  if (match) source.at = sticky.lastIndex;
  return match;
}

function skipSpace(source: PdfText): void {
  while (take(source, SPACE));
}

/** Parses the number of the object that starts at the current position (`12 0 obj`), or null. */
export function parseObjectStart(source: PdfText): number | null {
  skipSpace(source);
  const start = take(source, OBJECT_START);
  return start ? Number(start[1]) : null;
}

/** Parses the value at the current position; undefined when it is missing, broken, cut off or nested too deep. */
export function parseValue(source: PdfText, depth = 0): PdfValue | undefined {
  if (depth > DEPTH_LIMIT) return undefined;
  skipSpace(source);
  const { text, at } = source;
  const first = text[at];
  if (first === "/") return parseName(source);
  if (first === "[") return parseArray(source, depth);
  if (first === "(") return skipString(source) ? null : undefined;
  if (text.startsWith("<<", at)) return parseDictionary(source, depth);
  if (first === "<") return take(source, HEX_STRING) ? null : undefined;
  const reference = take(source, REFERENCE);
  if (reference) return { objectNumber: Number(reference[1]) };
  const number = take(source, NUMBER);
  if (number) return Number.isNaN(Number(number[0])) ? undefined : Number(number[0]);
  return take(source, WORD) ? null : undefined;
}

/** `#xx` stands for a character: `/Encr#79pt` is `/Encrypt`. */
function parseName(source: PdfText): string {
  const name = take(source, NAME)?.[1] ?? "";
  return name.replace(/#([\da-fA-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function parseArray(source: PdfText, depth: number): PdfValue[] | undefined {
  const items: PdfValue[] = [];
  source.at++;
  for (;;) {
    skipSpace(source);
    if (source.text[source.at] === "]") break;
    const item = parseValue(source, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
  }
  source.at++;
  return items;
}

function parseDictionary(source: PdfText, depth: number): PdfDictionary | undefined {
  const entries: PdfDictionary = new Map();
  source.at += 2;
  for (;;) {
    skipSpace(source);
    if (source.text.startsWith(">>", source.at)) break;
    if (source.text[source.at] !== "/") return undefined;
    const name = parseName(source);
    const value = parseValue(source, depth + 1);
    if (value === undefined) return undefined;
    entries.set(name, value);
  }
  source.at += 2;
  return entries;
}

/** Moves past a string in round brackets, which may contain balanced brackets and escapes. */
function skipString(source: PdfText): boolean {
  let open = 0;
  for (let at = source.at; at < source.text.length; at++) {
    const character = source.text[at];
    if (character === "\\") at++;
    else if (character === "(") open++;
    else if (character === ")" && --open === 0) {
      source.at = at + 1;
      return true;
    }
  }
  return false;
}
