/** The value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True when a value is an object with fields. A list is not. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object. Any other value, lists included, has none. */
export function parseRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
