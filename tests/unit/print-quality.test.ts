import { describe, expect, test } from "vitest";
import type { CheckedFile } from "~/print/artwork/file-check";
import {
  computeDpi,
  findMisfit,
  findPagesProblem,
  type PieceSize,
  recommendPdf,
} from "~/print/artwork/print-quality";

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

describe("computeDpi", () => {
  test.each<[PieceSize, number, number, number, string]>([
    // What clients of the provider send for 300 dpi with bleed (provider-api.md §3.4).
    ["4x6", 1_871, 1_271, 300, "prints at 300 dpi: sharp"],
    ["4x6", 1_272, 1_872, 300, "prints at 300 dpi: sharp"],
    ["6x4", 1_872, 1_272, 300, "prints at 300 dpi: sharp"],
    ["6x9", 2_771, 1_871, 300, "prints at 300 dpi: sharp"],
    ["6x9", 2_754, 1_872, 298, "prints at 298 dpi: fair"],
    // Without bleed in the picture it is stretched over it.
    ["4x6", 1_800, 1_200, 283, "prints at 283 dpi: fair"],
    ["4x6", 1_323, 3_000, 312, "prints at 312 dpi: sharp"],
    ["4x6", 1_323, 900, 212, "prints at 212 dpi: soft"],
    ["6x9", 1_872, 1_272, 203, "prints at 203 dpi: soft"],
    ["6x11", 3_000, 1_872, 267, "prints at 267 dpi: fair"],
    ["6x11", 1_200, 800, 107, "prints at 107 dpi: coarse"],
    ["4x6", 1, 1, 0, "prints at 0 dpi: coarse"],
  ])("%s of %i x %i px", (size, width, height, dpi, verdict) => {
    expect(computeDpi(picture(width, height), size)).toMatchObject({ dpi, verdict });
  });

  test("a PDF has none", () => {
    expect(computeDpi(pdf(6.24, 4.24), "4x6")).toEqual({
      dpi: null,
      grade: "as made",
      verdict: "PDF: prints as sharp as it was made",
    });
  });
});

describe("findMisfit", () => {
  test.each<[PieceSize, CheckedFile]>([
    ["4x6", picture(1_872, 1_272)],
    ["4x6", picture(1_200, 1_800)],
    ["6x11", picture(3_000, 1_666)],
    ["6x9", pdf(9.24, 6.24)],
    ["6x9", pdf(9, 6)],
    ["6x9", { kind: "pdf", bytes: 1 }],
  ])("%s fits %#", (size, file) => {
    expect(findMisfit(file, size)).toBeNull();
  });

  test("names the sides of a picture and of a PDF", () => {
    expect(findMisfit(picture(1_000, 1_000), "6x9")).toBe(
      "The picture is 1000 x 1000 px, other proportions than a 6x9 with its bleed (about 9.24 x 6.24 in): parts of it are cut off or edges stay white.",
    );
    expect(findMisfit(pdf(8.5, 11), "4x6")).toBe(
      "The PDF's first page is 8.5 x 11 in, other proportions than a 4x6 with its bleed (about 6.24 x 4.24 in): parts of it are cut off or edges stay white.",
    );
  });
});

test("a PDF is recommended for 6x11 alone, with the reason", () => {
  expect(["4x6", "6x4", "6x9"].map((size) => recommendPdf(size as PieceSize))).toEqual([null, null, null]);
  expect(recommendPdf("6x11")).toBe(
    "Use a PDF for 6x11: printed to its edges it needs about 3371 x 1871 px at 300 dpi, and a JPG or PNG may be 3000 px wide at most, which prints at 267 dpi. A PDF has no such limit.",
  );
});

test("pages beyond what their place takes are named", () => {
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
  expect(findPagesProblem(pages(2), "postcard side")).toBe(
    "One side is one page, and this PDF has 2: give front and back as two files of one page.",
  );
  expect(findPagesProblem(pages(10), "letter")).toBeNull();
  expect(findPagesProblem(pages(11), "letter")).toBe(
    "This PDF has 11 pages; the provider's reference allows 10 at most.",
  );
});
