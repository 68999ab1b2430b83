/** A cell that a spreadsheet would take for a formula. */
const FORMULA = /^(?:[\t\r]| *[=+\-@＝＋－＠])/u;

/**
 * One line of a CSV file (RFC 4180), numbers as they are. A text that a spreadsheet would run as a formula gets an
 * apostrophe in front, which a spreadsheet does not show.
 */
export function writeCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
