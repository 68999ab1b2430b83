import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { findFileType, formatFile, START_BYTES } from "./file-type";
import { listKeys, MASK, maskSecret } from "./keys.server";

/** A masked body. */
export interface AnswerBody {
  /** The body as text, or the size of a file: "binary, 1,051 bytes". */
  text: string;
  /** The bytes; absent when they are `text` in UTF-8. */
  bytes?: Uint8Array;
}

type Received = { bytes: Uint8Array; contentType: string | undefined; secrets: string[] };

const LARGE_BYTES = 1024 * 1024;
const TEXT_TYPE = /^(?:text\/|application\/(?:\S+\+)?(?:json|xml|csv))/i;
const BYTE_ORDER_MARKS = [
  ["\xef\xbb\xbf", "utf-8"],
  ["\xff\xfe", "utf-16le"],
  ["\xfe\xff", "utf-16be"],
] as const;

export const READ_ANSWER: HeavyJob<Received, AnswerBody> = {
  name: "provider.read",
  run: readReceived,
  isLarge: ({ bytes }) => bytes.length > LARGE_BYTES,
  notDone: "The answer was not read.",
};

/** Decodes an answer and masks our keys, in a separate thread when it is large. */
export async function readAnswer(bytes: Uint8Array, contentType: string | undefined): Promise<AnswerBody> {
  const input = { bytes, contentType, secrets: listKeys() };
  const read = await doHeavyWork(READ_ANSWER, input);
  // The answer decides about mail and money, so it is read without limits if necessary.
  return read.ok ? read.value : readReceived(input);
}

function readReceived({ bytes, contentType, secrets }: Received): AnswerBody {
  const mask = (text: string) => secrets.reduce(maskSecret, text);
  const text = decodeText(bytes, contentType);
  if (text !== null) {
    const masked = mask(text);
    // A masked text replaces the bytes.
    return masked !== text || Buffer.from(text).equals(bytes) ? { text: masked } : { text, bytes };
  }
  const latin1 = Buffer.from(bytes).toString("latin1");
  const masked = mask(latin1);
  // UTF-16 has a zero between the characters of a key.
  const spread = masked.replaceAll("\0", "");
  const kept = mask(spread) === spread ? Buffer.from(masked, "latin1") : Buffer.from(MASK);
  return { text: formatFile(kept.length), bytes: new Uint8Array(kept) };
}

/** Decodes text; null for a file. */
function decodeText(bytes: Uint8Array, contentType: string | undefined): string | null {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString("latin1");
  if (findFileType(start) !== null) return null;
  const marked = BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  const named = /charset="?([\w:.-]+)/i.exec(contentType ?? "")?.[1];
  const isText = TEXT_TYPE.test(contentType ?? "");
  for (const charset of [marked ?? named ?? "utf-8", "utf-8", ...(isText ? ["latin1"] : [])]) {
    try {
      const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
      if (isText || !text.includes("\0")) return text;
    } catch {
      // Tries the next charset.
    }
  }
  return null;
}
