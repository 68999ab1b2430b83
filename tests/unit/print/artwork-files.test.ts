import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkFile } from "~/print/artwork/check-file";
import { CHECK_FIELDS, MEASURE_PDF } from "~/print/artwork/check-file.server";
import { type FileRule, FRONT_BACK, LETTER_PDF, SIGNATURE } from "~/print/artwork/file-rules";
import { type CorpusFile, type ExpectedFile, INCOMPLETE } from "../../support/files/corpus-row";
import { FILE_CORPUS, WHOLE_FILES } from "../../support/files/file-corpus";
import { planPages, writeCompressedPdf, writePdf } from "../../support/files/sample-pdfs";
import { makeExif, makeJpeg, makePng } from "../../support/files/sample-pictures";
import { measureOwnMs } from "../../support/own-time";

const checkFields = (path: string, fields: Record<string, unknown>) => CHECK_FIELDS.run({ path, fields });

const FIELDS = new Map<FileRule, [path: string, field: string]>([
  [FRONT_BACK, ["postcards/create", "front"]],
  [SIGNATURE, ["postcards/create", "signature"]],
  [LETTER_PDF, ["letters/create", "file"]],
]);

/** The result that `checkFile` must return for a file of the corpus. The pages of a PDF are measured afterwards. */
function toExpectedCheck({ expected }: CorpusFile, bytes: number) {
  if (Array.isArray(expected)) return { ok: false, messages: expected };
  const { pages: _, pageSizePt: __, ...file } = expected;
  return { ok: true, file: { ...file, bytes } };
}

/** The thread's processor time in ms: the fastest of three runs, because the first one compiles. */
function time(run: () => unknown, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least > enough; round++) least = Math.min(least, measureOwnMs(run));
  return least;
}

/** The simplest loop over all bytes, as the baseline for a check's speed. */
function lookAtEach(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) sum = (sum + (bytes[at] as number)) | 0;
  return sum;
}

/** 250 ms, or more on a machine that needs over 25 ms to scan 25 MB. */
const LIMIT_MS = Math.max(250, 10 * time(() => lookAtEach(new Uint8Array(25_000_000))));

test.each(FILE_CORPUS.map((file) => [file.name, file] as const))(
  "the corpus, in the browser and on the server: %s",
  async (_, file) => {
    const bytes = await file.make();
    expect(checkFile(bytes, file.rule)).toEqual(toExpectedCheck(file, bytes.length));
    expect(time(() => checkFile(bytes, file.rule), LIMIT_MS)).toBeLessThan(LIMIT_MS);

    const [path, field] = FIELDS.get(file.rule) ?? ["", ""];
    const fields = { [field]: Buffer.from(bytes).toString("base64") };
    // An empty file is an empty field, which is allowed.
    const refused = Array.isArray(file.expected) && bytes.length > 0;
    const problems = refused ? [{ field, message: `${(file.expected as string[]).join(". ")}.` }] : [];
    expect(checkFields(path, fields)).toEqual(problems);
    expect(time(() => checkFields(path, fields), LIMIT_MS)).toBeLessThan(LIMIT_MS);
  },
);

describe("the pages of a PDF", () => {
  const accepted = FILE_CORPUS.filter(({ expected }) => !Array.isArray(expected) && expected.kind === "pdf");
  test.each(accepted.map((file) => [file.name, file] as const))("%s", async (_, file) => {
    const { pages, pageSizePt } = file.expected as ExpectedFile;
    const measured = await MEASURE_PDF.run(await file.make());
    expect(measured).toEqual(pages === undefined ? null : { pages, pageSizePt });
  });
});

describe("incomplete files", () => {
  test.each([
    ["a JPEG", makeJpeg(40, 30, { components: 3, progressive: true, first: [makeExif(6, true)] })],
    ["a PNG", makePng(40, 30)],
    ["a PDF", writePdf(planPages(1)).subarray(0, -1)],
    ["a compressed PDF", writeCompressedPdf(planPages(1)).subarray(0, -1)],
  ])("%s is accepted complete, and never with a byte less", (_, bytes) => {
    expect(checkFile(bytes, FRONT_BACK)).toMatchObject({ ok: true });
    const taken = Array.from(bytes.keys()).filter(
      (length) => checkFile(bytes.subarray(0, length), FRONT_BACK).ok,
    );
    expect(taken).toEqual([]);
  });

  test("a file without its last byte is incomplete", () => {
    for (const [name, make, expected] of WHOLE_FILES.filter(([, , expected]) => expected === INCOMPLETE)) {
      const bytes = make();
      const end = name.includes("PDF") ? -2 : -1;
      expect([name, checkFile(bytes.subarray(0, end), FRONT_BACK)]).toEqual([
        name,
        { ok: false, messages: expected },
      ]);
    }
  });
});

describe("any file", () => {
  const rules = fc.constantFrom(FRONT_BACK, SIGNATURE, LETTER_PDF);
  const STARTS = ["", "\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "%PDF-1.7\n", "<svg", "\0\0\0\x18ftyp"];
  const PDF_ENDS = ["startxref\n9\n%%EOF\n", "trailer<</Root 1 0 R>>%%EOF"];
  const starts = fc.constantFrom(...STARTS);
  const ends = fc.constantFrom("", "\xff\xd9", "\0\0\0\0IEND....", ...PDF_ENDS);

  test("of random bytes gets an answer", () => {
    const bytes = fc
      .tuple(starts, fc.uint8Array({ maxLength: 2_000, size: "max" }), ends)
      .map(([start, middle, end]) => Buffer.concat([Buffer.from(start, "latin1"), middle, Buffer.from(end)]));
    fc.assert(
      fc.property(bytes, rules, (file, rule) => expectSense(file, rule)),
      { numRuns: 2_000 },
    );
  });

  test("with random changes gets an answer", () => {
    const whole = fc.constantFrom(
      makeJpeg(768, 118, { components: 3, first: [makeExif(3, false)] }),
      makeJpeg(118, 768, { progressive: true, first: [makeExif(8, true)] }),
      makePng(768, 118),
      writePdf(planPages(3)),
      writeCompressedPdf(planPages(3)),
    );
    const place = fc.double({ min: 0, max: 0.999, noNaN: true });
    const changes = fc.array(fc.tuple(place, fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(whole, changes, rules, (file, changed, rule) => {
        const bytes = Uint8Array.from(file);
        for (const [place, value] of changed) bytes[Math.floor(place * bytes.length)] = value;
        expectSense(bytes, rule);
      }),
      { numRuns: 3_000 },
    );
  });

  test("is measured by its pixels in any orientation", () => {
    const side = fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 2_998, max: 3_002 }));
    fc.assert(
      fc.property(
        side,
        side,
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        (width, height, orientation, little) => {
          const file = makeJpeg(width, height, { hollow: true, first: [makeExif(orientation, little)] });
          const [seenWidth, seenHeight] = orientation >= 5 ? [height, width] : [width, height];
          const messages = [
            ...(seenWidth > 3_000 ? [`Width must not exceed 3000px (got ${seenWidth}px)`] : []),
            ...(seenHeight > 3_000 ? [`Height must not exceed 3000px (got ${seenHeight}px)`] : []),
          ];
          const measured = { kind: "jpeg", bytes: file.length, widthPx: seenWidth, heightPx: seenHeight };
          expect(checkFile(file, FRONT_BACK)).toEqual(
            messages.length > 0 ? { ok: false, messages } : { ok: true, file: measured },
          );
        },
      ),
    );
  });

  test("may be anywhere in a larger buffer", () => {
    const file = makePng(768, 118);
    const buffer = new Uint8Array(file.length + 99).fill(0xff);
    buffer.set(file, 33);
    expect(checkFile(buffer.subarray(33, 33 + file.length), SIGNATURE)).toEqual(checkFile(file, SIGNATURE));
  });
});

/** Checks the properties of every answer; the corpus has the exact ones. */
function expectSense(bytes: Uint8Array, rule: FileRule): void {
  const check = checkFile(bytes, rule);
  if (!check.ok) {
    expect(check.messages.length).toBeGreaterThan(0);
    return;
  }
  const { file } = check;
  expect(rule.kinds).toContain(file.kind);
  expect(file.bytes).toBe(bytes.length);
  if (file.kind === "pdf") return;
  if (rule === SIGNATURE) expect([file.widthPx, file.heightPx]).toEqual([768, 118]);
  else
    expect(Math.min(file.widthPx, file.heightPx) >= 1 && Math.max(file.widthPx, file.heightPx) <= 3_000).toBe(
      true,
    );
}
