const AFFIRMATIVE = new Set(["true", "1", "yes", "on"]);

/**
 * True when a `test` value means a test: true, 1, "true", "1", "yes", "on". Everything else is live.
 */
export function isTestValue(value: unknown): boolean {
  if (typeof value === "string") return AFFIRMATIVE.has(value.trim().toLowerCase());
  return value === true || value === 1;
}
