/** "1,204". */
export function formatNumber(number: number): string {
  return number.toLocaleString("en");
}

/** "1 row", "1,204 rows". */
export function formatRows(number: number): string {
  return `${formatNumber(number)} ${number === 1 ? "row" : "rows"}`;
}
