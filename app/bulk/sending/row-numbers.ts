const MAX_TESTS = 5;

/** Numbers of rows as typed: `2, 17`; null where these are not 1 to 5 numbers. */
export function parseRowNumbers(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const numbers = [...new Set(parts.map(Number))];
  const fits = numbers.length >= 1 && numbers.length <= MAX_TESTS;
  return fits && numbers.every((number) => Number.isInteger(number) && number > 1 && number < 1e7)
    ? numbers
    : null;
}
