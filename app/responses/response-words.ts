import { skipScalar, skipSpace, skipString } from "~/platform/json-text";
import { parseJson, parseRecord } from "~/platform/json-value";
import { splitWords, writeSearchText } from "~/platform/search-words";

/** Limit of words, enough for a request and its answer. */
const MAX_WORDS = 600;
/** Limit of the scanned text. */
const MAX_CHARS = 200_000;
/** Limit of a value: a longer one is a file or a page of text. */
const MAX_VALUE_CHARS = 500;
/** Fields of a stored request without values for the search. */
const CALL_FIELDS = new Set(["base", "method", "path"]);

/** The search words of a response. */
export interface ResponseWords {
  /** In the format of `writeSearchText`. */
  words: string;
  /** True when every value that may name a person is among them, so that an erasure need not read the texts. */
  isComplete: boolean;
}

/** Writes the search words of the values in a request and its answer. Names of fields are left out. */
export function writeResponseWords(requestText: string | null, responseText: string | null): ResponseWords {
  const words = new Set<string>();
  for (const values of [listRequestValues(requestText ?? ""), listValues(responseText ?? "")]) {
    for (const value of values) {
      if (words.size >= MAX_WORDS) break;
      for (const word of splitWords(value.slice(0, MAX_VALUE_CHARS))) words.add(word);
    }
  }
  const isWhole = [requestText, responseText].every((text) => (text ?? "").length <= MAX_CHARS);
  return {
    words: writeSearchText([[...words].slice(0, MAX_WORDS).join(" ")]),
    isComplete: isWhole && words.size < MAX_WORDS && !hasHiddenValues(requestText ?? ""),
  };
}

/** True when a part of the request that {@link listRequestValues} leaves out could name a person. */
function hasHiddenValues(text: string): boolean {
  const { query, body, headers, ...other } = parseRecord(parseJson(text));
  if (query === undefined && body === undefined) return false;
  // Fields of a person have no dash in their names, and headers that are sent have one.
  const isPlain = Object.keys(parseRecord(headers)).every((name) => name.includes("-") || name === "accept");
  const isHidden = ([name, value]: [string, unknown]) =>
    !CALL_FIELDS.has(name) || (typeof value === "object" && value !== null);
  return !isPlain || Object.entries(other).some(isHidden);
}

/** Lists query and body, or all values when the request has another shape. */
function listRequestValues(text: string): Iterable<string> {
  if (text.length > MAX_CHARS) return listValues(text);
  const { query, body, ...other } = parseRecord(parseJson(text));
  return listValues(JSON.stringify(query === undefined && body === undefined ? other : [query, body]));
}

/** Lists texts and numbers in a JSON text, which may be cut. Scans it, because enough words are often at its beginning. */
function* listValues(text: string): Generator<string> {
  const scanned = text.slice(0, MAX_CHARS);
  const known = new Set<string>();
  for (let at = 0; at < scanned.length; ) {
    const start = at;
    const char = scanned[start] ?? "";
    if (char === '"') {
      at = skipString(scanned, start);
      // A name has a colon behind it.
      if (scanned[skipSpace(scanned, at)] === ":") continue;
      const token = scanned.slice(start, at);
      if (known.has(token)) continue;
      known.add(token);
      // A text that is cut within an escape is skipped.
      yield token.includes("\\") ? String(parseJson(token) ?? "") : token.slice(1);
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      at = skipScalar(scanned, start);
      yield scanned.slice(start, at);
    } else at++;
  }
}
