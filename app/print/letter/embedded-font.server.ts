import { createHash } from "node:crypto";
import { round } from "./page";
import type { LetterFont } from "./shaper.server";

/** A character code of the font in the file: a glyph, its advance in thousandths of an em, and its text. */
type Code = { glyph: number; width: number; text: string };

/**
 * A font as embedded in the PDF: only the used glyphs, with one character code per pair of glyph and text, so that
 * copied text is right even when two characters share a glyph.
 */
export class EmbeddedFont {
  readonly reference: PDFKit.PDFKitReference;
  private readonly codes: Code[] = [{ glyph: 0, width: 0, text: "" }];
  private readonly codeOf = new Map<string, { hex: string; width: number }>();
  private readonly blank: number;

  constructor(
    private readonly document: PDFKit.PDFDocument,
    private readonly font: LetterFont,
    readonly name: string,
  ) {
    this.reference = document.ref({});
    this.blank = font.findGlyph(" ") ?? 0;
  }

  /** The code of an invisible glyph that only carries text. */
  encodeUnseen(text: string, width = 0): string {
    return this.encode(this.blank, text, width).hex;
  }

  /** The code of a glyph with its text, and the advance width written into the file. */
  encode(glyph: number, text: string, givenWidth: number | null = null): { hex: string; width: number } {
    const key = `${glyph} ${givenWidth} ${text}`;
    let code = this.codeOf.get(key);
    if (!code) {
      const width = givenWidth ?? round(this.font.measureGlyph(glyph));
      code = { hex: toHex(this.codes.push({ glyph, width, text }) - 1), width };
      this.codeOf.set(key, code);
    }
    return code;
  }

  /** Writes the font into the document. Call it last: nothing can be encoded afterwards. */
  embed(): void {
    const { file: font } = this.font;
    const subset = font.createSubset();
    const glyphs = this.codes.map((code) => subset.includeGlyph(code.glyph));
    const name = `${this.makeTag()}+${font.postscriptName}`;
    const perEm = 1000 / font.unitsPerEm;
    const { bbox } = font;
    const descriptor = this.write({
      Type: "FontDescriptor",
      FontName: name,
      Flags: 4,
      FontBBox: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((length) => Math.round(length * perEm)),
      ItalicAngle: 0,
      Ascent: Math.round(font.ascent * perEm),
      Descent: Math.round(font.descent * perEm),
      CapHeight: Math.round(font.capHeight * perEm),
      StemV: 80,
      FontFile2: this.write({}, subset.encode()),
    });
    const descendant = this.write({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: name,
      CIDSystemInfo: { Registry: asText("Adobe"), Ordering: asText("Identity"), Supplement: 0 },
      FontDescriptor: descriptor,
      W: [0, this.codes.map((code) => code.width)],
      CIDToGIDMap: this.write({}, Buffer.from(glyphs.map(toHex).join(""), "hex")),
    });
    Object.assign(this.reference.data, {
      Type: "Font",
      Subtype: "Type0",
      BaseFont: name,
      Encoding: "Identity-H",
      DescendantFonts: [descendant],
      ToUnicode: this.write({}, Buffer.from(this.makeUnicodeMap(), "latin1")),
    });
    this.reference.end(undefined);
  }

  private write(data: object, content?: Uint8Array): PDFKit.PDFKitReference {
    const reference = this.document.ref(data);
    reference.end(content);
    return reference;
  }

  /** The six-letter tag that PDF wants for a font subset, derived from its glyphs so that it is unique. */
  private makeTag(): string {
    const digest = createHash("sha256").update(JSON.stringify(this.codes)).digest();
    return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join("");
  }

  private makeUnicodeMap(): string {
    const lines = this.codes.flatMap(({ text }, code) =>
      text === "" ? [] : [`<${toHex(code)}> <${toUtf16Hex(text)}>`],
    );
    const blocks: string[] = [];
    for (let from = 0; from < lines.length; from += 100) {
      const block = lines.slice(from, from + 100);
      blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
    }
    return [
      "/CIDInit /ProcSet findresource begin",
      "12 dict begin",
      "begincmap",
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
      "/CMapName /Adobe-Identity-UCS def",
      "/CMapType 2 def",
      "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange",
      ...blocks,
      "endcmap",
      "CMapName currentdict /CMap defineresource pop",
      "end",
      "end",
    ].join("\n");
  }
}

/** Big-endian UTF-16 in hexadecimal digits, as PDF writes Unicode. */
export function toUtf16Hex(text: string): string {
  let hex = "";
  for (let index = 0; index < text.length; index++) hex += toHex(text.charCodeAt(index));
  return hex;
}

function toHex(number: number): string {
  return number.toString(16).padStart(4, "0");
}

/** pdfkit writes a string as a PDF name and a String object as PDF text. */
function asText(value: string): object {
  return Object(value);
}
