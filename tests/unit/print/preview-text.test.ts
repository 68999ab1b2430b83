import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FONTS } from "~/catalogue/options";
import { formatAddress } from "~/print/layout/address";
import { layoutBlock } from "~/print/layout/layout";
import { breakLines, isRightToLeft, measureText } from "~/print/layout/measure-text";
import { measureOwnMs } from "../../support/own-time";

describe("measuring", () => {
  /** Parses Adobe's own metrics, which pdfkit ships. */
  function readAfm(font: string): [string, number][] {
    const afm = readFileSync(`node_modules/pdfkit/js/data/${font}.afm`, "latin1");
    return [...afm.matchAll(/^C (\d+) ; WX (\d+)/gm)].map(([, code, width]) => [
      String.fromCharCode(Number(code)),
      Number(width),
    ]);
  }

  it.each([
    ["Helvetica", "Helvetica"],
    ["Times", "Times-Roman"],
    ["Courier", "Courier"],
  ])("gives %s the widths of its metrics", (font, afm) => {
    const letters = readAfm(afm).filter(([character]) => /[A-Za-z0-9 .,;:!?()]/.test(character));
    expect(letters.length).toBeGreaterThan(60);
    const wrong = letters.filter(([character, width]) => measureText(font, 1000, character) !== width);
    expect(wrong).toEqual([]);
  });

  it("knows every font of the form", () => {
    const widths = new Map(FONTS.map((font) => [font, measureText(font, 12, "Hamburgefonts")]));
    expect(widths.get("Arial")).toBe(widths.get("Helvetica"));
    expect(widths.get("Times")).toBe(widths.get("Times New Roman"));
    expect(widths.get("Courier")).toBe(widths.get("Courier New"));
    expect(new Set(widths.values()).size).toBe(FONTS.length - 3);
  });

  it("grows with the size, and uses Arial for unknown fonts", () => {
    expect(measureText("Georgia", 20, "abc")).toBeCloseTo(2 * measureText("Georgia", 10, "abc"));
    expect(measureText("constructor", 10, "abc")).toBe(measureText("Arial", 10, "abc"));
  });

  it("measures accents as their letters, and combining marks as nothing", () => {
    expect(measureText("Arial", 10, "ő")).toBe(measureText("Arial", 10, "o"));
    expect(measureText("Arial", 10, "e\u0301")).toBe(measureText("Arial", 10, "e"));
  });
});

describe("breaking lines", () => {
  it("breaks at spaces and keeps line ends as typed", () => {
    const width = measureText("Arial", 12, "one two three");
    expect(breakLines("Arial", 12, "one two three four\r\n\r\nfive", width)).toEqual([
      "one two three",
      "four",
      "",
      "five",
    ]);
  });

  it("breaks a word that is wider than a line, and East Asian text anywhere", () => {
    expect(breakLines("Courier", 10, "abcdefgh", 18)).toEqual(["abc", "def", "gh"]);
    expect(breakLines("Arial", 10, "日本語の文", 20)).toEqual(["日本", "語の", "文"]);
  });

  it("never makes a line that is too wide, and loses nothing but spaces", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.constantFrom(...FONTS),
        fc.integer({ min: 60, max: 400 }),
        (text, font, width) => {
          const lines = breakLines(font, 12, text, width);
          for (const line of lines) {
            expect(measureText(font, 12, line.trimStart())).toBeLessThanOrEqual(width + 0.001);
          }
          const solid = (value: string) => value.replace(/\s/g, "");
          expect(solid(lines.join(""))).toBe(solid(text));
        },
      ),
    );
  });

  it("breaks two hundred thousand characters quickly", () => {
    const text = "word ".repeat(20_000) + "x".repeat(50_000) + "語".repeat(50_000);
    expect(measureOwnMs(() => breakLines("Verdana", 12, text, 300))).toBeLessThan(1_000);
  });

  it("takes the direction from the first letter", () => {
    expect(isRightToLeft("12 שלום world")).toBe(true);
    expect(isRightToLeft("world שלום")).toBe(false);
    expect(isRightToLeft("123")).toBe(false);
  });
});

describe("a block of text", () => {
  const type = { font: "Arial", sizePt: 10, colour: "black" };
  const box = { x: 100, y: 50, width: 200, height: 40 };

  it("keeps the lines that fit, and lists those that would be cut", () => {
    const block = layoutBlock("1\n2\n3\n4\n5\n6", type, box);
    expect(block.lines.map((line) => line.text)).toEqual(["1", "2", "3"]);
    expect(block.cut.map((line) => line.text)).toEqual(["4", "5", "6"]);
    expect(Math.max(...block.lines.map((line) => line.baseline))).toBeLessThan(90);
    expect(Math.min(...block.lines.map((line) => line.baseline))).toBeGreaterThan(50);
  });

  it("cuts nothing when only blank lines do not fit", () => {
    expect(layoutBlock("1\n2\n3\n\n\n", type, box).cut).toEqual([]);
  });

  it("starts right-to-left lines at the right", () => {
    const [line] = layoutBlock("שלום", type, box).lines;
    expect(line).toMatchObject({ x: 300, rightToLeft: true, width: null });
  });
});

describe("an address", () => {
  const jane = {
    title: "Ms",
    firstname: " Jane ",
    lastname: "Smith",
    company: "Harbour Books",
    address1: "14 Mill Lane",
    address2: "",
  };

  it.each([
    ["US", { city: "Portland", state: "OR", postcode: "97205" }, ["Portland OR 97205"]],
    ["CA", { city: "Toronto", state: "ON", postcode: "M5V 2T6" }, ["Toronto ON  M5V 2T6", "CANADA"]],
    [
      "GB",
      { city: "Leeds", state: "Yorkshire", postcode: "ls1 4ap" },
      ["Leeds", "LS1 4AP", "UNITED KINGDOM"],
    ],
    ["DE", { city: "Berlin", state: "Berlin", postcode: "10115" }, ["10115 Berlin", "GERMANY"]],
    ["IT", { city: "Roma", state: "RM", postcode: "00184" }, ["00184 Roma RM", "ITALY"]],
    ["AU", { city: "Sydney", state: "NSW", postcode: "2000" }, ["Sydney NSW 2000", "AUSTRALIA"]],
    ["JP", { city: "Tokyo", postcode: "100-0001" }, ["Tokyo", "100-0001", "JP"]],
    ["", { city: "Portland", state: "OR", postcode: "97205" }, ["Portland OR 97205"]],
  ])("to %s is written as its country does, from the US", (country, place, lines) => {
    expect(formatAddress({ ...jane, ...place, country }, "US")).toEqual([
      "Ms Jane Smith",
      "Harbour Books",
      "14 Mill Lane",
      ...lines,
    ]);
  });

  it("omits the country of printing", () => {
    expect(formatAddress({ city: "Leeds", postcode: "LS1 4AP", country: "GB" }, "GB")).toEqual([
      "Leeds",
      "LS1 4AP",
    ]);
    expect(formatAddress({ city: "Portland", state: "OR", country: "US" }, "GB")).toEqual([
      "Portland OR",
      "UNITED STATES",
    ]);
  });

  it("has no empty lines", () => {
    expect(formatAddress({}, "US")).toEqual([]);
  });
});
