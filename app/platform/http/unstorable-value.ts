/**
 * Values that the database or the provider cannot take: PostgreSQL stores no NUL and no lone surrogate, numbers beyond 2^53
 * have lost digits already, and deep nesting hangs the embedded database.
 */
const DEPTH_LIMIT = 64;
const KEY_SHOWN = 40;
/** A NUL, or half of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * Checks a value made by `JSON.parse`. Returns a sentence with the place that cannot be stored, or null. A key `__proto__`
 * passes, because `JSON.parse` makes it an ordinary field and no code here copies fields by assignment.
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

/** `recipient.address[3]`, with names as JSON text where they are not plain, and long ones cut. */
function formatPlace(path: (string | number)[]): string {
  const parts = path.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    const name = key.slice(0, KEY_SHOWN);
    return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return parts.join("").replace(/^\./, "") || "The JSON";
}
