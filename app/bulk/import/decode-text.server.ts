import { isUtf8 } from "node:buffer";

const WORKBOOK_FILE =
  "This is an Excel workbook. In Excel choose Save As, then CSV UTF-8, and upload that file.";

/** First bytes of files that people upload by mistake. */
const OTHER_FILES: readonly { starts: readonly number[]; problem: string }[] = [
  { starts: [0x50, 0x4b, 0x03, 0x04], problem: WORKBOOK_FILE },
  { starts: [0xd0, 0xcf, 0x11, 0xe0], problem: WORKBOOK_FILE },
  { starts: [0x25, 0x50, 0x44, 0x46], problem: "This is a PDF. Upload a CSV file." },
];
/** Bytes inspected to detect UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 4_096;
/** Windows-1252 from 0x80 to 0x9f, where Latin-1 has control characters. Node 20 decodes it as Latin-1. */
const WINDOWS_SIGNS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Finds why a file is no text from its first bytes; null when it may be text. */
export function findOtherFile(bytes: Uint8Array): string | null {
  return OTHER_FILES.find(({ starts }) => starts.every((byte, at) => bytes[at] === byte))?.problem ?? null;
}

/** Decodes UTF-8, UTF-16 with or without a byte order mark, else Windows-1252. Drops the byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findWideEncoding(bytes) ?? (isUtf8(bytes) ? "utf-8" : null);
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes);
  const latin = Buffer.from(bytes).toString("latin1");
  return latin.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_SIGNS.charAt(sign.charCodeAt(0) - 0x80));
}

/** Detects UTF-16 by its byte order mark, or by the zeros in nearly every second byte of Western text. */
function findWideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.filter((byte) => byte === 0).length;
  const odd = sample.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  if (zeros <= sample.length / 4) return null;
  if (odd === zeros) return "utf-16le";
  return odd === 0 ? "utf-16be" : null;
}
