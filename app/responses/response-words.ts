import { isRecord, parseJson, parseRecord } from "~/platform/json-value";
import { splitWords, writeSearchText } from "~/platform/search-words";

/** Enough for a request and its answer; of a long list the first rows. */
const MAX_WORDS = 600;
/** Longer texts are not parsed, but read value by value until there are words enough. */
const MAX_PARSED_CHARS = 10_000;
/** No text is read further than this. */
const MAX_CHARS = 200_000;
/** A longer value is a file or a page of text, of which the beginning is enough. */
const MAX_VALUE_CHARS = 500;
/** A text, or a name with its colon, or a number, in JSON. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"\s*:?|$)|-?\d[\d.]*/g;

/** The words of the values in a request and its answer, by which their response is found. Names of fields are left out. */
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

/** What was asked, where it can be told from how it was sent. */
function listRequestValues(text: string): Iterable<string> {
  if (text.length > MAX_CHARS) return scanValues(text);
  const { query, body, ...other } = parseRecord(parseJson(text));
  return listValues(query === undefined && body === undefined ? other : [query, body]);
}

function listTextValues(text: string): Iterable<string> {
  return text.length > MAX_PARSED_CHARS ? scanValues(text) : listValues(parseJson(text));
}

/** Texts and numbers in a JSON text, which may be cut, in order. */
function* scanValues(text: string): Generator<string> {
  for (const [token] of text.slice(0, MAX_CHARS).matchAll(TOKENS)) {
    if (token.endsWith(":")) continue;
    if (!token.startsWith('"')) yield token;
    else if (!token.includes("\\")) yield token.slice(1);
    // What is cut within an escape cannot be read.
    else yield String(parseJson(token) ?? "");
  }
}

/** Texts and numbers in any depth, in order; without recursion, because an answer may nest as it likes. */
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
