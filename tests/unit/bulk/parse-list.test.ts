import { describe, expect, test } from "vitest";
import { type ParsedRow, parseList } from "~/bulk/import/parse-list.server";
import { fail } from "~/platform/outcome";

const EMPTY_FILE = "The file is empty.";

async function read(bytes: Uint8Array) {
  let columns: string[] = [];
  const parsed: ParsedRow[] = [];
  for await (const batch of parseList(bytes)) {
    if (!batch.ok) return { failed: batch, columns, rows: [], numbers: [] };
    columns = batch.value.columns;
    parsed.push(...batch.value.rows);
  }
  return {
    failed: null,
    columns,
    rows: parsed.map(({ cells }) => cells),
    numbers: parsed.map(({ number }) => number),
  };
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
    expect(await read(bytes)).toMatchObject({ failed: null, columns: ["Name", "Ort"], rows: ROWS });
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
    expect((await read(utf8("\na;b\n1;2\n\n3;4"))).numbers, "an empty line is a row, too").toEqual([3, 5]);
  });
});

test("a long file comes in batches with the share that was read, and no character is cut", async () => {
  expect(new Set((await read(utf8(`ab\n${"😀\n".repeat(40_000)}`))).rows.flat()).size).toBe(1);
  const shares: number[] = [];
  for await (const batch of parseList(utf8(`a\n${"1\n".repeat(40_000)}`))) {
    if (batch.ok) shares.push(batch.value.done);
  }
  expect(shares).toHaveLength(160);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([shares[100], shares.at(-1)]).toEqual([expect.closeTo(0.82, 1), 1]);
});

test.each(["First/Last/Company\nA", "Name: both\nA", "recipient_id_no\n1", "Names of all people\nA"])(
  "one column is a list: %j",
  async (text) => {
    const { failed, rows } = await read(utf8(text));
    expect([failed, rows.length]).toEqual([null, 1]);
  },
);

test.each([
  ["an empty file", "", EMPTY_FILE],
  ["nothing but line ends", "\r\n\r\n", EMPTY_FILE],
  ["only a header", "a,b\n", "The file has a header and no rows below it."],
  ["an empty header", ",,\nx,y,z", "The first row is empty. It must name the columns."],
  [
    "two columns of one name",
    "City,Name,city\n1,2,3",
    'Columns 1 and 3 are both named "city". Rename one of them.',
  ],
  [
    "too many columns",
    `${Array.from({ length: 101 }, (_, at) => `c${at}`)}\n1`,
    "The file has 101 columns; a list may have 100. Remove those you do not need.",
  ],
  [
    "a long cell",
    `a,b\n1,${"x".repeat(6_000)}`,
    'Row 2, column "b" has 6,000 characters; a cell may have 5,000.',
  ],
  [
    "a cell of 10 MB",
    `a,b\n1,"${"x".repeat(10_000_000)}"`,
    "Row 2 has more than 100,000 characters. A closing quotation mark may be missing.",
  ],
  [
    "a separator that no spreadsheet writes",
    "Name^City^Postcode\nA^B^1",
    "The columns seem to be separated by ^. Save the file with commas, or write sep=^ as its first line.",
  ],
  [
    "a quote inside a cell",
    'a,b\n1,2\n\n3,4\n5,6" nail\n7,8',
    "Row 5 has a quotation mark in the wrong place. A cell that begins with one ends with one; inside it, each is written twice.",
  ],
  [
    "too many rows",
    `a\n${"1\n".repeat(50_001)}`,
    "There are more than 50,000 rows. Split them into several lists.",
  ],
  [
    "an Excel workbook",
    "PK\u0003\u0004 and more",
    "This is an Excel workbook. In Excel choose Save As, then CSV UTF-8, and upload that file.",
  ],
  ["a PDF", "%PDF-1.7", "This is a PDF. Upload a CSV file."],
  ["another binary file", "a,b\n\0\u0001\u0002,3", "This is not a text file. Upload a CSV file."],
])("%s has its message", async (_, text, message) => {
  expect((await read(utf8(text))).failed).toEqual(fail("bad_input", message));
});
