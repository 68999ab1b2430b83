/** Reads JSON text without parsing it, to keep its exact bytes or to check it before a parse. */

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SPACE = 32;

/** Measures how deep objects and arrays nest, and how many values there are, containers included. The text need not be valid JSON. */
export function measureJson(text: string): { depth: number; values: number } {
  let open = 0;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = skipString(text, at) - 1;
    else if (char === COMMA) values++;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      values++;
      open++;
      depth = Math.max(depth, open);
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) open--;
  }
  return { depth, values };
}

/**
 * Finds the raw text of a member of the outermost object; null when there is none or the text is not an object. The last
 * of equal names counts, as with `JSON.parse`.
 * @param text valid JSON
 */
export function findMemberText(text: string, name: string): string | null {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_BRACE) return null;
  let found: string | null = null;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const key = text.slice(at, keyEnd);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    if (isName(key, name)) found = text.slice(valueStart, valueEnd);
    at = skipSpace(text, valueEnd);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return found;
}

function isName(quoted: string, name: string): boolean {
  return quoted.includes("\\") ? JSON.parse(quoted) === name : quoted.slice(1, -1) === name;
}

/** Returns the end of the string that opens at `start`, or the end of the text. */
export function skipString(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return text.length;
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
    from = quote + 1;
  }
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return skipString(text, start);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipScalar(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = skipString(text, at) - 1;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) depth++;
    else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Returns the end of the number, `true`, `false` or `null` at `start`. */
export function skipScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === COMMA || char === CLOSE_BRACE || char === CLOSE_BRACKET || char <= SPACE) break;
    at++;
  }
  return at;
}

/** Returns the first position from `start` without white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at++;
  return at;
}
