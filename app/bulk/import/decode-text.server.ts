import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";

const WORKBOOK_FILE =
  "This is an Excel workbook. In Excel choose Save As, then CSV UTF-8, and upload that file.";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** First bytes of files that people upload by mistake. */
const OTHER_FILES: readonly { starts: readonly number[]; problem: string }[] = [
  { starts: [0x50, 0x4b, 0x03, 0x04], problem: WORKBOOK_FILE },
  { starts: [0xd0, 0xcf, 0x11, 0xe0], problem: WORKBOOK_FILE },
  { starts: [0x25, 0x50, 0x44, 0x46], problem: "This is a PDF. Upload a CSV file." },
];
/** Bytes inspected to detect UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 4_096;
/** Decoded at a time, so that other requests are served in between. */
const SLICE_BYTES = 64 * 1024;

/** Finds why a file is no text from its first bytes; null when it may be text. */
export function findOtherFile(bytes: Uint8Array): string | null {
  return OTHER_FILES.find(({ starts }) => starts.every((byte, at) => bytes[at] === byte))?.problem ?? null;
}

/** Detects the encoding: UTF-8, UTF-16 with or without a byte order mark, else Windows-1252. */
export function findEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return findWideEncoding(bytes) ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
}

/** Decodes a file in slices, each with the bytes read so far. Drops the byte order mark. */
export function* decodeSlices(
  bytes: Uint8Array,
  encoding: Encoding,
): Generator<{ text: string; readBytes: number }> {
  // Node 20 decodes Windows-1252 as Latin-1, which has control characters in place of quotation marks and €.
  const decoder = encoding === "windows-1252" ? null : new TextDecoder(encoding);
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const readBytes = Math.min(at + SLICE_BYTES, bytes.length);
    const slice = bytes.subarray(at, readBytes);
    const text = decoder?.decode(slice, { stream: readBytes < bytes.length });
    yield { text: text ?? iconv.decode(slice, encoding), readBytes };
  }
}

/** Detects UTF-16 by the zeros in nearly every second byte of Western text. */
function findWideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES - (SAMPLE_BYTES % 2));
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 2 / 2;
  if (odd > many && even === 0) return "utf-16le";
  return even > many && odd === 0 ? "utf-16be" : null;
}
