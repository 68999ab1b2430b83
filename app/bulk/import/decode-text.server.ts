import { NOT_A_TEXT_FILE, PDF_FILE, WORKBOOK_FILE } from "../messages";

/** The text of an uploaded file, or why it is none. */
export type Decoded = { text: string; problem: null } | { text: null; problem: string };

/** How files start that people upload by mistake. */
const OTHER_FILES: readonly { starts: readonly number[]; problem: string }[] = [
  { starts: [0x50, 0x4b, 0x03, 0x04], problem: WORKBOOK_FILE },
  { starts: [0xd0, 0xcf, 0x11, 0xe0], problem: WORKBOOK_FILE },
  { starts: [0x25, 0x50, 0x44, 0x46], problem: PDF_FILE },
];
/** So much is looked at to tell UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 4_096;

/**
 * Decodes a file as spreadsheets write it: UTF-8, UTF-16 with or without a byte order mark, else Windows-1252, in which every
 * byte is a character.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const other = OTHER_FILES.find(({ starts }) => starts.every((byte, at) => bytes[at] === byte));
  if (other) return { text: null, problem: other.problem };
  const text = decode(bytes);
  return text.includes("\0") ? { text: null, problem: NOT_A_TEXT_FILE } : { text, problem: null };
}

function decode(bytes: Uint8Array): string {
  // TextDecoder drops the byte order mark of its own encoding.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const wide = findWideEncoding(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Text of Western languages in UTF-16 has a zero in nearly every second byte. */
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
