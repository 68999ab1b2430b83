/**
 * Start of a formula, at the start of a cell and after a character that may end a cell. Up to 32 spaces and invisible
 * characters may precede it; the limit keeps the search linear.
 */
const FORMULA = /(^|[;\n\r])(?=[\s\p{Cf}]{0,32}[=+\-@＝＋－＠])/gu;
const LEADING_TAB = /^[\t\r]/;

/** `{ number }` keeps a number's own spelling. */
type Cell = string | number | Date | { number: string } | null;

/**
 * Writes one line of a CSV file (RFC 4180), times in UTC as spreadsheets read them. A text that a spreadsheet would run as a
 * formula gets a leading apostrophe, which a spreadsheet does not show.
 */
export function writeCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  // "2026-11-25 13:05:20": spreadsheets take a time with `T` and `Z` for a text.
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace("T", " ");
  if (typeof cell === "object") return cell.number;
  const guarded = cell.replace(FORMULA, "$1'");
  const text = LEADING_TAB.test(guarded) ? `'${guarded}` : guarded;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
