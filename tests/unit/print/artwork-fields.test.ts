import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHECK_FIELDS, decodeBase64Strict, type FieldProblem } from "~/print/artwork/check-file.server";
import { FILES_LIMIT_BYTES } from "~/print/artwork/file-rules";
import {
  formatActualKind,
  formatFieldSpelling,
  formatTooLarge,
  NOT_A_FILE,
  WRONG_KIND,
} from "~/print/artwork/messages";
import { planPages, writePdf } from "../../support/files/sample-pdfs";
import { makeJpeg, makePng, makePngPadding } from "../../support/files/sample-pictures";

const checkFields = (path: string, fields: Record<string, unknown>) =>
  CHECK_FIELDS.run({ path, fields }) as FieldProblem[];

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const PICTURE = base64(makeJpeg(1_872, 1_272));
const SIGNED = base64(makePng(768, 118));
const LETTER = base64(writePdf(planPages(2)));

test("a base64 text is accepted only in its canonical form", () => {
  const alphabet = fc.constantFrom(..."ABQRghw058+/==-_ \n,:é😀\0\u0141", "\ud800");
  fc.assert(
    fc.property(fc.string({ unit: alphabet, maxLength: 9 }), (text) => {
      const canonical = text !== "" && Buffer.from(text, "base64").toString("base64") === text;
      expect(decodeBase64Strict(text) !== null).toBe(canonical);
    }),
    { numRuns: 5_000 },
  );
});

describe("checkFieldsOnServer", () => {
  test("refuses only the file that no longer fits", () => {
    const half = (bytes: number) => base64(makePng(8, 8, { middle: [makePngPadding(bytes)] }));
    const message = `${formatTooLarge(15_010_000, FILES_LIMIT_BYTES, 2)}.`;
    const fields = { front: half(7_000_000), back: half(8_000_001) };
    expect(checkFields("postcards/create", fields)).toEqual([{ field: "back", message }]);
    expect(checkFields("postcards/create", { ...fields, back: half(7_999_000) })).toEqual([]);
  });

  test.each([
    ["postcards/create", { front: PICTURE, back: LETTER, signature: SIGNED, size: "4x6" }],
    ["postcards/create.json", { front: "https://pictures.invalid/front.svg?x=1#y" }],
    ["Postcards/Create", { front: "HTTP://127.0.0.1/front" }],
    ["postcards/create", { front: "", back: null, signature: undefined, message: "data:nothing" }],
    ["postcards/create", { template: "21001", file: "no field of a postcard" }],
    ["letters/create", { file: LETTER, front: "no field of a letter" }],
    ["letters/post", { file: LETTER }],
    ["files/upload", { file: "whatever" }],
    ["postcards/create", JSON.parse(`{"__proto__": {"front": "x"}, "constructor": "x", "Front": "x"}`)],
  ])("finds no problem in %s %#", (path, fields) => {
    expect(checkFields(path, fields)).toEqual([]);
  });

  test.each<[string, string, string, unknown]>([
    ["a data: address", "postcards/create", "front", `data:image/jpeg;base64,${PICTURE}`],
    ["another scheme", "postcards/create", "back", "file:///etc/passwd"],
    ["an address with a space", "postcards/create", "back", "https://a.invalid/a b"],
    ["an address without a host", "postcards/create", "back", "https://"],
    ["an address without a sense", "POSTCARDS/Create", "back", "https://["],
    ["an endless address", "postcards/create", "back", `https://a.invalid/${"a".repeat(2_048)}`],
    ["a number", "postcards/create", "front", 7],
    ["a list", "letters/create", "file", [LETTER]],
    ["an object", "letters/post", "file", { length: 4 }],
  ])("%s is not a file", (_, path, field, value) => {
    expect(checkFields(path, { [field]: value })).toEqual([{ field, message: `${NOT_A_FILE}.` }]);
  });

  const spelling = (field: string) => ({ field, message: `${formatFieldSpelling(field)}.` });
  const sides = (field: string, how: string, width: string, height: string) => ({
    field,
    message: `Width must ${how} ${width}. Height must ${how} ${height}.`,
  });
  const wrongKind = { field: "file", message: `${WRONG_KIND.letter}. ${formatActualKind("JPEG")}.` };
  test.each<[string, string, Record<string, unknown>, { field: string; message: string }[]]>([
    [
      "each field by its own rule",
      "postcards/create",
      { front: SIGNED, back: base64(makeJpeg(3_001, 3_001, { hollow: true })), signature: PICTURE },
      [
        sides("back", "not exceed", "3000px (got 3001px)", "3000px (got 3001px)"),
        sides("signature", "be exactly", "768px (got 1872px)", "118px (got 1272px)"),
      ],
    ],
    ["a picture as letter", "letters/post.json", { file: PICTURE }, [wrongKind]],
    ["a list by its name", "postcards/create", { "front[]": [PICTURE] }, [spelling("front")]],
    [
      "a name that PHP mends",
      "letters/create",
      { " file": LETTER, "file[0]": LETTER },
      [spelling("file"), spelling("file")],
    ],
  ])("names %s", (_, path, fields, problems) => {
    expect(checkFields(path, fields)).toEqual(problems);
  });

  test("a text that is too long is not decoded", () => {
    const problems = checkFields("postcards/create", { front: "!".repeat(20_000_004) });
    expect(problems[0]?.message).toMatch(/^The file is 15\.01 MB;/);
  });
});

test("the limit of files leaves space for the rest of a 20 MiB request", () => {
  const grown = base64(new Uint8Array(FILES_LIMIT_BYTES)).length;
  expect(20 * 1024 * 1024 - grown).toBeGreaterThan(900_000);
});
