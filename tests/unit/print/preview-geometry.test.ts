import { describe, expect, it } from "vitest";
import {
  type Box,
  findLetterPage,
  findPostcard,
  type PieceGeometry,
  parsePaddingMm,
  placeArtwork,
  placeBack,
} from "~/print/layout/geometry";

const DPI_300 = 300 / 72;
const MM = 72 / 25.4;

function contains(outer: Box, inner: Box): boolean {
  const slack = 0.001;
  return (
    inner.x >= outer.x - slack &&
    inner.y >= outer.y - slack &&
    inner.x + inner.width <= outer.x + outer.width + slack &&
    inner.y + inner.height <= outer.y + outer.height + slack
  );
}

function overlap(one: Box, other: Box): boolean {
  const slack = 0.001;
  return (
    one.x + slack < other.x + other.width &&
    other.x + slack < one.x + one.width &&
    one.y + slack < other.y + other.height &&
    other.y + slack < one.y + one.height
  );
}

function takePostcard(size: string, side: "front" | "back"): PieceGeometry {
  const piece = findPostcard(size, side);
  if (!piece) throw new Error(`no piece for ${size}`);
  return piece;
}

describe("the size of a postcard", () => {
  it.each([
    ["4x6", 6, 4],
    ["6x9", 9, 6],
    ["6x11", 11, 6],
  ])("%s is %i by %i inches on both sides", (size, width, height) => {
    for (const side of ["front", "back"] as const) {
      const { trim } = takePostcard(size, side);
      expect([trim.width / 72, trim.height / 72]).toEqual([width, height]);
    }
  });

  it("has its safe area 72 px of 300 dpi artwork inside the bleed, and so inside the trim", () => {
    const { bleed, safe, trim } = takePostcard("4x6", "front");
    expect((safe.x - bleed.x) * DPI_300).toBeCloseTo(72);
    expect(contains(trim, safe)).toBe(true);
  });

  it("is portrait on the front of a 6x4, and landscape on its back", () => {
    const front = takePostcard("6x4", "front").trim;
    const lying = takePostcard("4x6", "front").trim;
    expect([front.width, front.height]).toEqual([lying.height, lying.width]);
    expect(takePostcard("6x4", "back").trim).toEqual(lying);
  });

  it.each(["", "5x7", "constructor", "A6"])("has no size %j", (size) => {
    expect(findPostcard(size, "front")).toBeNull();
  });
});

describe("the areas of a back", () => {
  const cases = ["4x6", "6x9", "6x11", "6x4"].flatMap((size) => [
    { size, signed: true },
    { size, signed: false },
  ]);

  it.each(cases)(
    "lie inside the trim and apart from each other: $size, signed: $signed",
    ({ size, signed }) => {
      const piece = takePostcard(size, "back");
      const { address, barcode, postage, message, signature } = placeBack(piece, signed);
      const places = [address, barcode, postage, message, ...(signed ? [signature] : [])];
      for (const [at, place] of places.entries()) {
        expect(place.width).toBeGreaterThan(0);
        expect(place.height).toBeGreaterThan(0);
        expect(contains(piece.trim, place)).toBe(true);
        for (const other of places.slice(at + 1)) expect(overlap(place, other)).toBe(false);
      }
      for (const place of [message, signature]) expect(contains(piece.safe, place)).toBe(true);
    },
  );

  it("include the barcode area: 4 3/4 by 5/8 inches, lower right", () => {
    const piece = takePostcard("6x9", "back");
    expect(placeBack(piece, false).barcode).toEqual({ x: 648 - 342, y: 432 - 45, width: 342, height: 45 });
  });

  it("keep the proportions of the signature, and its full size if there is space", () => {
    for (const size of ["4x6", "6x9", "6x11"]) {
      const { signature } = placeBack(takePostcard(size, "back"), true);
      expect(signature.width / signature.height).toBeCloseTo(768 / 118);
    }
    expect(placeBack(takePostcard("6x9", "back"), true).signature.width * DPI_300).toBeCloseTo(768);
  });
});

describe("padding on the front", () => {
  const piece = takePostcard("6x9", "front");

  it("of 0 extends the artwork to the edge of the bleed", () => {
    expect(placeArtwork(piece, parsePaddingMm("0"))).toEqual(piece.bleed);
  });

  it.each(["5", "10", "15", "20"])("of %s is an equal white border on all sides", (padding) => {
    const box = placeArtwork(piece, parsePaddingMm(padding));
    expect(box.x / MM).toBeCloseTo(Number(padding));
    expect((piece.trim.width - box.width) / 2 / MM).toBeCloseTo(Number(padding));
    expect((piece.trim.height - box.height) / 2 / MM).toBeCloseTo(Number(padding));
  });

  it.each(["", " ", "wide", "-3"])("of %j is the provider's default border", (padding) => {
    expect(parsePaddingMm(padding)).toBe(5);
  });

  it("never makes the artwork's size negative", () => {
    const box = placeArtwork(piece, parsePaddingMm("900"));
    expect(box.height).toBe(0);
    expect(box.width).toBeGreaterThanOrEqual(0);
  });
});

it.each([
  ["US", 215.9, 279.4],
  ["GB", 210, 297],
] as const)(
  "a letter's page printed in %s is %d x %d mm, with window and code inside",
  (home, width, height) => {
    const page = findLetterPage(home);
    expect(page.trim.width / MM).toBeCloseTo(width);
    expect(page.trim.height / MM).toBeCloseTo(height);
    expect(contains(page.trim, page.window)).toBe(true);
    expect(contains(page.trim, page.code)).toBe(true);
    expect(overlap(page.window, page.code)).toBe(false);
  },
);
