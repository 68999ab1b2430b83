import { exceedsDepth, exceedsValues } from "../json-text";
import { fail, NOTHING_DONE, type Outcome, succeed } from "../outcome";
import { findUnstorableValue } from "./unstorable-value";

/** Time for a small body; larger ones get more, for a slow line. */
const BODY_TIME_LIMIT_MS = 10_000;
const BODY_BYTES_PER_MS = 400;
const DEPTH_LIMIT = 64;
/** About twice the values of an event with five thousand pieces. */
const VALUE_LIMIT = 100_000;

/**
 * Reads a JSON body. Fails with `too_large` while it still arrives, and with `bad_input` when it is late, not JSON, nested
 * deeper than 64 levels, has more than 100,000 values, or holds what the database cannot store.
 */
export async function readJsonBody(
  request: Request,
  limitBytes: number,
  timeLimitMs?: number,
): Promise<Outcome<unknown>> {
  const bytes = await readLimitedBytes(request, limitBytes, timeLimitMs);
  if (!bytes.ok) return bytes;
  try {
    return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes.value));
  } catch {
    return fail("bad_input", `The body is not UTF-8 text. ${NOTHING_DONE}`);
  }
}

/**
 * Reads the bytes of a body and counts them as they arrive, so that memory never holds more than `limitBytes`. Fails with
 * `too_large`, or with `bad_input` when the body is late or breaks off.
 */
export async function readLimitedBytes(
  request: Request,
  limitBytes: number,
  timeLimitMs = BODY_TIME_LIMIT_MS + limitBytes / BODY_BYTES_PER_MS,
): Promise<Outcome<Uint8Array>> {
  const tooLarge = fail(
    "too_large",
    `Request too large: it may have ${formatByteLimit(limitBytes)} at most. Please reduce image sizes or content. ${NOTHING_DONE}`,
  );
  if (Number(request.headers.get("Content-Length") ?? 0) > limitBytes) return tooLarge;
  if (!request.body) return succeed(new Uint8Array());
  const reader = request.body.getReader();
  // Not the promise of node:timers, whose abort costs an exception in each request.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, timeLimitMs, "late");
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const step = await Promise.race([reader.read(), late]);
      if (step === "late") {
        const seconds = Math.round(timeLimitMs / 1000);
        return fail("bad_input", `The body did not arrive within ${seconds} s. ${NOTHING_DONE} Try again.`);
      }
      if (step.done) return succeed(Buffer.concat(chunks, size));
      size += step.value.byteLength;
      if (size > limitBytes) return tooLarge;
      chunks.push(step.value);
    }
  } catch {
    return fail("bad_input", `The body broke off before its end. ${NOTHING_DONE} Try again.`);
  } finally {
    clearTimeout(timer);
    // Not cancelled, because that would close the socket before the answer. Unread bytes stay in the socket.
    reader.releaseLock();
  }
}

/** Parses JSON text with the checks of {@link readJsonBody}. Fails with `bad_input`. */
export function parseJsonText(text: string): Outcome<unknown> {
  if (exceedsDepth(text, DEPTH_LIMIT)) {
    return fail("bad_input", `The JSON is nested deeper than ${DEPTH_LIMIT} levels. ${NOTHING_DONE}`);
  }
  if (exceedsValues(text, VALUE_LIMIT)) {
    return fail("bad_input", `The JSON has more than ${VALUE_LIMIT} values. ${NOTHING_DONE}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the text, which may hold a secret, so only the position is returned.
    const place = /position (\d+)/.exec(String(error))?.[1];
    const problem = place ? `it breaks at character ${place}` : "the text cannot be read as JSON";
    return fail("bad_input", `Invalid JSON: ${problem}. ${NOTHING_DONE}`);
  }
  if (/__proto__|\\u00/.test(text) && hasPrototypeKey(value)) {
    return fail("bad_input", `The JSON has a field named __proto__, which is not allowed. ${NOTHING_DONE}`);
  }
  const hostile = findUnstorableValue(value);
  return hostile === null ? succeed(value) : fail("bad_input", `${hostile} ${NOTHING_DONE}`);
}

/** @param value not nested deeper than {@link DEPTH_LIMIT} */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}

/** "20 MB" or "16 KB". */
export function formatByteLimit(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Math.round(bytes / 1024 / 1024)} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} KB` : `${bytes} bytes`;
}
