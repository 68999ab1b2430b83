import { isRecord, parseJson, parseRecord } from "~/platform/json-value";
import { splitWords, writeSearchText } from "~/platform/search-words";

/** Enough for a request and its answer; of a long list the first rows. */
const MAX_WORDS = 600;
/** Longer texts are looked through to here. */
const MAX_CHARS = 200_000;
/** A longer value is a file or a page of text, of which the beginning is enough. */
const MAX_VALUE_CHARS = 500;

/** The words of the values in a request and its answer, by which their response is found. Names of fields are left out. */
export function writeResponseWords(requestText: string | null, responseText: string | null): string {
  const { query, body, ...other } = parseRecord(parseStart(requestText));
  const request = query === undefined && body === undefined ? other : [query, body];
  const words = new Set<string>();
  for (const value of listValues([request, parseStart(responseText)])) {
    for (const word of splitWords(value)) words.add(word);
    if (words.size >= MAX_WORDS) break;
  }
  return writeSearchText([[...words].slice(0, MAX_WORDS).join(" ")]);
}

function parseStart(text: string | null): unknown {
  if (text === null) return null;
  if (text.length <= MAX_CHARS) return parseJson(text) ?? null;
  const found = text.slice(0, MAX_CHARS).match(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|-?\d[\d.]*/g);
  // What is followed by a colon is a name.
  return found?.filter((value) => !value.endsWith(":")) ?? [];
}

/** Texts and numbers in any depth, in order; without recursion, because an answer may nest as it likes. */
function* listValues(root: unknown): Generator<string> {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") yield value.slice(0, MAX_VALUE_CHARS);
    else if (typeof value === "number") yield String(value);
    else if (Array.isArray(value)) open.push(...value.slice(0, MAX_WORDS).reverse());
    else if (isRecord(value)) open.push(...Object.values(value).slice(0, MAX_WORDS).reverse());
  }
}
