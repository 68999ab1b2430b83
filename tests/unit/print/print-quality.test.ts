import { describe, expect, test } from "vitest";
import type { CheckedFile } from "~/print/artwork/file-rules";
import {
  formatPagesPerSide,
  formatPdfAdvice,
  formatTooManyPages,
  PDF_RESOLUTION,
} from "~/print/artwork/messages";
import {
  findPagesProblem,
  findPdfAdvice,
  findShapeProblem,
  gradeResolution,
} from "~/print/artwork/print-quality";
import { listFindings } from "~/print/layout/findings";
import type { PieceSize } from "~/print/layout/geometry";
import { buildPreviewState } from "~/print/layout/preview-content";

const picture = (widthPx: number, heightPx: number): CheckedFile => ({
  kind: "png",
  widthPx,
  heightPx,
  bytes: 1,
});
const pdf = (width: number, height: number): CheckedFile => ({
  kind: "pdf",
  pages: 1,
  pageSizePt: { width: width * 72, height: height * 72 },
  bytes: 1,
});

describe("gradeResolution", () => {
  test.each<[PieceSize, number, number, number, ReturnType<typeof gradeResolution>["grade"]]>([
    // Sizes that the provider's client code sends for 300 dpi with bleed.
    ["4x6", 1_871, 1_271, 300, "sharp"],
    ["6x4", 1_272, 1_872, 300, "sharp"],
    // A portrait picture on a landscape card, and the reverse.
    ["4x6", 1_272, 1_872, 204, "soft"],
    ["6x4", 1_872, 1_272, 204, "soft"],
    ["6x9", 2_771, 1_871, 300, "sharp"],
    ["6x9", 2_754, 1_872, 298, "good"],
    // An image without bleed is stretched over it.
    ["4x6", 1_800, 1_200, 283, "good"],
    ["4x6", 3_000, 1_323, 312, "sharp"],
    ["4x6", 1_323, 900, 212, "soft"],
    ["6x9", 1_872, 1_272, 203, "soft"],
    ["6x11", 3_000, 1_872, 267, "good"],
    ["6x11", 1_200, 800, 107, "blurry"],
    ["4x6", 1, 1, 0, "blurry"],
  ])("%s of %i x %i px", (size, width, height, dpi, grade) => {
    expect(gradeResolution(picture(width, height), size)).toMatchObject({ dpi, grade });
  });

  test("a PDF has none", () => {
    expect(gradeResolution(pdf(6.24, 4.24), "4x6")).toEqual({
      dpi: null,
      grade: "pdf",
      label: PDF_RESOLUTION,
    });
  });
});

test.each<[PieceSize, CheckedFile]>([
  ["4x6", picture(1_872, 1_272)],
  ["6x4", picture(1_200, 1_800)],
  ["6x11", picture(3_000, 1_666)],
  ["6x9", pdf(9.24, 6.24)],
  ["6x9", pdf(9, 6)],
  ["6x9", { kind: "pdf", bytes: 1 }],
])("%s fits %#", (size, file) => {
  expect(findShapeProblem(file, size)).toBeNull();
});

test("the findings of a card list cut-off, blurry and CMYK artwork by side", () => {
  const list = (size: string, front: CheckedFile, back: CheckedFile = picture(1_872, 1_272)) =>
    listFindings(
      buildPreviewState({
        kind: "postcard",
        values: { size, front: "/9j/", back: "/9j/", clearzone: "true" },
        files: { front: { name: "a", facts: front }, back: { name: "b", facts: back } },
        recipients: [],
        home: "US",
      }),
      null,
    ).flatMap(({ code, field, tone }) => (tone === "warn" ? [`${field} ${code}`] : []));
  expect(list("4x6", picture(1_872, 1_272))).toEqual([]);
  expect(list("6x4", picture(1_272, 1_872))).toEqual([]);
  expect(list("4x6", picture(1_272, 1_872))).toEqual(["front picture_shape"]);
  expect(list("4x6", picture(624, 424), pdf(8.5, 11))).toEqual([
    "front picture_blurry",
    "back picture_shape",
  ]);
  expect(list("4x6", { kind: "jpeg", bytes: 1, widthPx: 1_872, heightPx: 1_272, isCmyk: true })).toEqual([
    "front picture_colours",
  ]);
});

test("a PDF is recommended for 6x11 only, with the reason", () => {
  expect(["4x6", "6x4", "6x9"].map((size) => findPdfAdvice(size as PieceSize))).toEqual([null, null, null]);
  expect(findPdfAdvice("6x11")).toBe(
    formatPdfAdvice("6x11", { longPx: 3371, shortPx: 1871 }, { px: 3000, dpi: 267 }),
  );
});

test("surplus pages are named", () => {
  const pages = (count?: number): CheckedFile => ({
    kind: "pdf",
    bytes: 1,
    ...(count ? { pages: count } : {}),
  });
  expect([picture(1, 1), pages(), pages(1)].map((file) => findPagesProblem(file, "postcard side"))).toEqual([
    null,
    null,
    null,
  ]);
  expect(findPagesProblem(pages(2), "postcard side")).toBe(formatPagesPerSide(2));
  expect(findPagesProblem(pages(10), "letter")).toBeNull();
  expect(findPagesProblem(pages(11), "letter")).toBe(formatTooManyPages(11, 10));
});
