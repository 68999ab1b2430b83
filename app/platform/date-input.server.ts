export const NOT_A_DATE = "must be a date (YYYY-MM-DD)";
export const DATE_OUT_OF_RANGE = "must be between 1970 and 9998";

/** True when the database can store an ISO 8601 date with any offset. */
export function isDateInRange(text: string): boolean {
  return text >= "1970" && text < "9999";
}
