import { describe, expect, test } from "vitest";
import {
  formatBadQuotes,
  formatCellTooLong,
  formatRowTooLong,
  formatSameHeader,
  formatTooManyColumns,
  formatTooManyRows,
  formatUnknownSeparator,
} from "~/bulk/import/messages";
import { parseList } from "~/bulk/import/parse-list.server";
import { succeed } from "~/platform/outcome";

const EMPTY_FILE = "The file is empty.";

async function read(bytes: Uint8Array) {
  const read = { columns: [] as string[], rows: [] as string[][], numbers: [] as number[] };
  const parsed = await parseList(bytes, {
    batchSize: 2,
    onHeader: (columns) => {
      read.columns = columns;
    },
    onRows: async (rows) => {
      read.rows.push(...rows.map(({ cells }) => cells));
      read.numbers.push(...rows.map(({ number }) => number));
      return succeed(null);
    },
  });
  return { parsed, ...read };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, swapped = false) => {
  const bytes = Buffer.from(text, "utf16le");
  return swapped ? bytes.swap16() : bytes;
};
const TEXT = "Name,Ort\nJörg Müller,Köln\nZoë,Zürich\n";
const ROWS = [
  ["Jörg Müller", "Köln"],
  ["Zoë", "Zürich"],
];

describe("a list is parsed in the formats of spreadsheets", () => {
  test.each([
    ["UTF-8", utf8(TEXT)],
    ["UTF-8 with a byte order mark", utf8(`\uFEFF${TEXT}`)],
    ["UTF-16 with a byte order mark", utf16(`\uFEFF${TEXT}`)],
    ["UTF-16, big end first, with a byte order mark", utf16(`\uFEFF${TEXT}`, true)],
    ["UTF-16 without one", utf16(TEXT)],
    ["UTF-16, big end first, without one", utf16(TEXT, true)],
    ["Windows-1252", Buffer.from(TEXT, "latin1")],
    ["Excel's semicolons", utf8(TEXT.replaceAll(",", ";"))],
    ["tabs, as pasted", utf8(TEXT.replaceAll(",", "\t"))],
    ["a line that names the separator", utf8(`sep=;\r\n${TEXT.replaceAll(",", ";")}`)],
    ["old Mac line ends", utf8(TEXT.replaceAll("\n", "\r"))],
    ["Windows line ends, empty lines and empty columns", utf8(TEXT.replaceAll("\n", ",,\r\n,,,\r\n"))],
    ["quotes", utf8('"Name","Ort"\n"Jörg Müller","Köln"\n"Zoë",Zürich')],
  ])("%s", async (_, bytes) => {
    const { parsed, columns, rows } = await read(bytes);
    expect({ parsed, columns, rows }).toEqual({ parsed: succeed(2), columns: ["Name", "Ort"], rows: ROWS });
  });

  test("Excel's quotation marks, dashes and currencies in Windows-1252", async () => {
    const signs = Buffer.from([0x93, 0x94, 0x96, 0x80, 0x8a, 0xe9]);
    const name = Buffer.from("Name;Ort\nO\x92Hara;", "latin1");
    expect((await read(Buffer.concat([name, signs]))).rows).toEqual([["O’Hara", "“”–€Šé"]]);
  });

  test("separators, line ends and quotes inside quotes belong to the cell; rows are numbered as in a spreadsheet", async () => {
    const { rows, numbers } = await read(utf8('a;b\n"x;""y""\nz";1\n;;\nshort\nlong;2;3'));
    expect(rows).toEqual([
      ['x;"y"\nz', "1"],
      ["short", ""],
      ["long", "2", "3"],
    ]);
    expect(numbers).toEqual([2, 4, 5]);
  });
});

test.each(["First/Last/Company\nA", "Name: both\nA", "recipient_id_no\n1", "Names of all people\nA"])(
  "one column is a list: %j",
  async (text) => {
    expect((await read(utf8(text))).parsed).toEqual(succeed(1));
  },
);

test.each([
  ["an empty file", "", EMPTY_FILE],
  ["nothing but line ends", "\r\n\r\n", EMPTY_FILE],
  ["only a header", "a,b\n", "The file has a header and no rows below it."],
  ["an empty header", ",,\nx,y,z", "The first row is empty. It must name the columns."],
  ["two columns of one name", "City,Name,city\n1,2,3", formatSameHeader("city", 1, 3)],
  [
    "too many columns",
    `${Array.from({ length: 101 }, (_, at) => `c${at}`)}\n1`,
    formatTooManyColumns(101, 100),
  ],
  ["a long cell", `a,b\n1,${"x".repeat(6_000)}`, formatCellTooLong(2, "b", 6_000, 5_000)],
  ["a cell of 10 MB", `a,b\n1,"${"x".repeat(10_000_000)}"`, formatRowTooLong(2, 100_000)],
  ["a separator that no spreadsheet writes", "Name^City^Postcode\nA^B^1", formatUnknownSeparator("^")],
  ["a quote that does not end", 'a,b\n1,"open\n2,3', formatBadQuotes(2)],
  ["too many rows", `a\n${"1\n".repeat(50_001)}`, formatTooManyRows(50_000)],
  [
    "an Excel workbook",
    "PK\u0003\u0004 and more",
    "This is an Excel workbook. In Excel choose Save As, then CSV UTF-8, and upload that file.",
  ],
  ["a PDF", "%PDF-1.7", "This is a PDF. Upload a CSV file."],
  ["another binary file", "a,b\n\0\u0001\u0002,3", "This is not a text file. Upload a CSV file."],
])("%s has its message", async (_, text, message) => {
  const { parsed } = await read(utf8(text));
  expect(parsed).toEqual({ ok: false, failure: { code: "bad_input", message } });
});
