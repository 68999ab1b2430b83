import { isRecord, parseJson, parseRecord } from "~/platform/json-value";
import { splitWords, writeSearchText } from "~/platform/search-words";

/** Limit of words, enough for a request and its answer. */
const MAX_WORDS = 600;
/** Longer texts are not parsed, but scanned until there are enough words. */
const MAX_PARSED_CHARS = 10_000;
/** Limit of the scanned text. */
const MAX_CHARS = 200_000;
/** Limit of a value: a longer one is a file or a page of text. */
const MAX_VALUE_CHARS = 500;
/** Matches a text, a name with its colon, or a number in JSON. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"\s*:?|$)|-?\d[\d.]*/g;

/** Writes the search words of the values in a request and its answer. Names of fields are left out. */
export function writeResponseWords(requestText: string | null, responseText: string | null): string {
  const words = new Set<string>();
  const known = new Set<string>();
  for (const values of [listRequestValues(requestText ?? ""), listTextValues(responseText ?? "")]) {
    for (const value of values) {
      if (words.size >= MAX_WORDS) break;
      if (known.has(value)) continue;
      known.add(value);
      for (const word of splitWords(value.slice(0, MAX_VALUE_CHARS))) words.add(word);
    }
  }
  return writeSearchText([[...words].slice(0, MAX_WORDS).join(" ")]);
}

/** Lists query and body, or all values when the request has another shape. */
function listRequestValues(text: string): Iterable<string> {
  if (text.length > MAX_CHARS) return scanValues(text);
  const { query, body, ...other } = parseRecord(parseJson(text));
  return listValues(query === undefined && body === undefined ? other : [query, body]);
}

function listTextValues(text: string): Iterable<string> {
  return text.length > MAX_PARSED_CHARS ? scanValues(text) : listValues(parseJson(text));
}

/** Scans texts and numbers in a JSON text, which may be cut. */
function* scanValues(text: string): Generator<string> {
  for (const [token] of text.slice(0, MAX_CHARS).matchAll(TOKENS)) {
    if (token.endsWith(":")) continue;
    if (!token.startsWith('"')) yield token;
    else if (!token.includes("\\")) yield token.slice(1);
    // A text that is cut within an escape is skipped.
    else yield String(parseJson(token) ?? "");
  }
}

/** Lists texts and numbers at any depth, without recursion, because an answer may nest deeply. */
function* listValues(root: unknown): Generator<string> {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "number") yield String(value);
    else if (Array.isArray(value)) open.push(...value.slice(0, MAX_WORDS).reverse());
    else if (isRecord(value)) open.push(...Object.values(value).slice(0, MAX_WORDS).reverse());
  }
}
