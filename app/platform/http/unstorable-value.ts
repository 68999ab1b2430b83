/**
 * Values that neither the database nor the provider can take. PostgreSQL stores no NUL and no lone surrogate, numbers
 * beyond 2^53 have lost digits already, and deep nesting hangs the embedded database.
 */
const DEPTH_LIMIT = 64;
const KEY_SHOWN = 40;
/** A NUL, or half of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

interface Level {
  container: object;
  /** Null for an array, whose keys are its positions. */
  keys: string[] | null;
  next: number;
}

/**
 * Why a value, as `JSON.parse` makes it, cannot be taken, as one sentence that says where; null when it can.
 * Looks at every key and value once, without recursion. A key `__proto__` passes: parsed, it is a field like any
 * other, and nothing here copies fields by assignment.
 */
export function findUnstorableValue(value: unknown): string | null {
  const levels: Level[] = [];
  let current: unknown = value;
  for (;;) {
    const problem = findProblem(current);
    if (problem) return `${formatPlace(levels)} ${problem}.`;
    if (typeof current === "object" && current !== null) {
      if (levels.length === DEPTH_LIMIT) return `The JSON is nested deeper than ${DEPTH_LIMIT} levels.`;
      levels.push({
        container: current,
        keys: Array.isArray(current) ? null : Object.keys(current),
        next: 0,
      });
    }
    let level = levels.at(-1);
    while (level && level.next === count(level)) {
      levels.pop();
      level = levels.at(-1);
    }
    if (!level) return null;
    const key = level.keys ? level.keys[level.next] : level.next;
    level.next++;
    if (typeof key === "string" && UNSTORABLE.test(key)) {
      return `${formatPlace(levels)} is a name that holds a NUL character or half a character.`;
    }
    current = Reflect.get(level.container, key ?? "");
  }
}

function count({ container, keys }: Level): number {
  if (keys) return keys.length;
  return Array.isArray(container) ? container.length : 0;
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
function formatPlace(levels: Level[]): string {
  const parts = levels.map(({ keys, next }) => {
    if (keys === null) return `[${next - 1}]`;
    const key = (keys[next - 1] ?? "").slice(0, KEY_SHOWN);
    return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  const place = parts.join("").replace(/^\./, "");
  return place === "" ? "The JSON" : place;
}
