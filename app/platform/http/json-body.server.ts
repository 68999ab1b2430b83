import { measureJson } from "../json-text";
import { fail, NOTHING_DONE, type Outcome, succeed } from "../outcome";
import { readLimitedBytes } from "./body.server";

const DEPTH_LIMIT = 64;
/** About twice the values of an event with five thousand pieces. */
const VALUE_LIMIT = 100_000;
const KEY_SHOWN = 40;
/** A NUL, or half of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * Reads a JSON body. Fails with `too_large` while it still arrives, and with `bad_input` when it is late, not JSON, nested
 * deeper than 64 levels, has more than 100,000 values, or holds what the database cannot store.
 */
export async function readJsonBody(
  request: Request,
  limitBytes: number,
  timeLimitMs?: number,
): Promise<Outcome<unknown>> {
  const bytes = await readLimitedBytes(request, limitBytes, timeLimitMs);
  if (!bytes.ok) return bytes;
  try {
    return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes.value));
  } catch {
    return fail("bad_input", `The body is not UTF-8 text. ${NOTHING_DONE}`);
  }
}

/** Parses JSON text with the checks of {@link readJsonBody}. Fails with `bad_input`. */
export function parseJsonText(text: string): Outcome<unknown> {
  const { depth, values } = measureJson(text);
  if (depth > DEPTH_LIMIT) {
    return fail("bad_input", `The JSON is nested deeper than ${DEPTH_LIMIT} levels. ${NOTHING_DONE}`);
  }
  if (values > VALUE_LIMIT) {
    return fail("bad_input", `The JSON has more than ${VALUE_LIMIT} values. ${NOTHING_DONE}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the text, which may hold a secret, so only the position is returned.
    const place = /position (\d+)/.exec(String(error))?.[1];
    const problem = place ? `it breaks at character ${place}` : "the text cannot be read as JSON";
    return fail("bad_input", `Invalid JSON: ${problem}. ${NOTHING_DONE}`);
  }
  if (/__proto__|\\u00/.test(text) && hasPrototypeKey(value)) {
    return fail("bad_input", `The JSON has a field named __proto__, which is not allowed. ${NOTHING_DONE}`);
  }
  const hostile = findUnstorableValue(value);
  return hostile === null ? succeed(value) : fail("bad_input", `${hostile} ${NOTHING_DONE}`);
}

/** @param value not nested deeper than {@link DEPTH_LIMIT} */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}

/**
 * Checks a value made by `JSON.parse` for what the database or the provider cannot take: PostgreSQL stores no NUL and no lone
 * surrogate, numbers beyond 2^53 have lost digits already, and deep nesting hangs the embedded database. Returns a sentence
 * with the place, or null. A key `__proto__` passes, because `JSON.parse` makes it an ordinary field and no code here copies
 * fields by assignment.
 */
export function findUnstorableValue(value: unknown): string | null {
  return findWithin(value, []);
}

/** @param path path to the value; one list that all levels change */
function findWithin(value: unknown, path: (string | number)[]): string | null {
  const problem = findProblem(value);
  if (problem) return `${formatPlace(path)} ${problem}.`;
  if (typeof value !== "object" || value === null) return null;
  if (path.length === DEPTH_LIMIT) return `The JSON is nested deeper than ${DEPTH_LIMIT} levels.`;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    path.push(key);
    if (typeof key === "string" && UNSTORABLE.test(key)) {
      return `${formatPlace(path)} is a name that holds a NUL character or half a character.`;
    }
    const found = findWithin(Reflect.get(value, key), path);
    if (found !== null) return found;
    path.pop();
  }
  return null;
}

function findProblem(value: unknown): string | null {
  if (typeof value === "string") {
    if (!UNSTORABLE.test(value)) return null;
    return value.includes("\0") ? "holds a NUL character" : "holds half a character (a lone surrogate)";
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    if (!Number.isFinite(value)) return "is a number out of range";
    return Number.isInteger(value) ? "is a whole number beyond 9007199254740991; send it as text" : null;
  }
  return typeof value === "bigint" ? "is a whole number out of range; send it as text" : null;
}

/** Formats a path as `recipient.address[3]`, with names as JSON text where they are not plain, and long ones cut. */
function formatPlace(path: (string | number)[]): string {
  const parts = path.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    const name = key.slice(0, KEY_SHOWN);
    return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return parts.join("").replace(/^\./, "") || "The JSON";
}
