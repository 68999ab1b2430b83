import { formatInteger } from "~/platform/format-integer";

/** "1 row", "1,204 rows". */
export function formatRows(number: number): string {
  return `${formatInteger(number)} ${number === 1 ? "row" : "rows"}`;
}
