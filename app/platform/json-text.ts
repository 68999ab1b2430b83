/** Reads JSON text without parsing it, to keep its exact bytes or to check it before a parse. */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
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
  let found: string | null = null;
  let open = 0;
  let start: number | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = skipString(text, at);
      const next = skipSpace(text, end);
      const isName = open === 1 && text.charCodeAt(next) === COLON;
      if (isName && JSON.parse(text.slice(at, end)) === name) start = next + 1;
      at = isName ? next : end - 1;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) open++;
    else if (char === COMMA || char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      if (open === 1 && start !== null) {
        found = text.slice(start, at).trim();
        start = null;
      }
      if (char !== COMMA) open--;
    }
  }
  return found;
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
