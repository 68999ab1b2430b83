import type { CheckedFile } from "./checked-file";

/** PDF viewers look for the header within this many bytes. */
const PDF_HEADER_REACH = 1_024;
const PNG_START = "\x89PNG\r\n\x1a\n";

/** Finds a file's kind from its first bytes; null for kinds that no field takes. */
export function findKind(bytes: Uint8Array): CheckedFile["kind"] | null {
  const start = decodeLatin1(bytes, 0, 8);
  if (start.startsWith("\xff\xd8\xff")) return "jpeg";
  if (start === PNG_START) return "png";
  return start.startsWith("%PDF-") ? "pdf" : null;
}

/**
 * True when an image file is also a valid PDF. The provider might print the PDF, which is not what was measured here.
 */
export function hidesPdf(bytes: Uint8Array): boolean {
  return decodeLatin1(bytes, 0, PDF_HEADER_REACH).includes("%PDF-");
}

/** Finds the name of a common kind that no field takes, or null. */
export function findForeignKindName(bytes: Uint8Array): string | null {
  const start = decodeLatin1(bytes, 0, 256).replace(BYTE_ORDER_MARK, "").trimStart();
  if (start.startsWith("<")) return /<svg\b/i.test(start) ? "SVG" : "HTML or XML";
  const inside = start.slice(4, 12);
  return (
    FOREIGN_STARTS.find(([begin]) => start.startsWith(begin))?.[1] ??
    FOREIGN_INSIDES.find(([mark]) => inside.endsWith(mark) || inside.startsWith(mark))?.[1] ??
    null
  );
}

/** In UTF-8. */
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
const FOREIGN_STARTS = [
  ["GIF8", "GIF"],
  ["II*\0", "TIFF"],
  ["MM\0*", "TIFF"],
  ["BM", "BMP"],
  ["8BPS", "Photoshop"],
  ["%!PS", "PostScript"],
  ["{\\rtf", "RTF"],
  ["PK\x03\x04", "ZIP (perhaps an Office document)"],
  ["\xd0\xcf\x11\xe0", "an old Office document"],
] as const;
/** Starting at byte 5 or ending at byte 12. */
const FOREIGN_INSIDES = [
  ["WEBP", "WebP"],
  ["ftypavif", "AVIF"],
  ["ftyphe", "HEIC"],
  ["ftypmif1", "HEIC"],
] as const;

/** Bytes as Latin-1 text, up to the end of the file. Meant for a few hundred KB at most. */
export function decodeLatin1(bytes: Uint8Array, from: number, length: number): string {
  const parts: string[] = [];
  const end = Math.min(bytes.length, from + length);
  for (let at = Math.max(0, from); at < end; at += 8_192) {
    // Several times faster than spreading the bytes.
    parts.push(Reflect.apply(String.fromCharCode, null, bytes.subarray(at, Math.min(end, at + 8_192))));
  }
  return parts.join("");
}
