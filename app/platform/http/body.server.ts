import { exceedsDepth, exceedsValues } from "../json-text";
import { fail, NOTHING_DONE, type Outcome, succeed } from "../outcome";
import { formatByteLimit, formatTooManyValues } from "./messages";
import { findUnstorableValue } from "./unstorable-value";

/** A small body that takes longer is held back on purpose; large ones get time for a slow line. */
const BODY_TIME_LIMIT_MS = 10_000;
const BODY_BYTES_PER_MS = 400;
const DEPTH_LIMIT = 64;
/** Five thousand pieces in an event of the provider have about half of that. */
const VALUE_LIMIT = 100_000;

/**
 * A JSON body as a plain value. Fails with `too_large` while it still streams in, and with `bad_input` when it is
 * late, not JSON, nested deeper than 64 levels, of more than 100,000 values, or holds what the database cannot store.
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
 * The bytes of a body, counted as they arrive, so that memory never holds more than `limitBytes`. Fails with `too_large`,
 * or with `bad_input` when the body is late or breaks off.
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
  const deadline = startDeadline(timeLimitMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const step = await Promise.race([reader.read(), deadline.passed]);
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
    deadline.stop();
    // Not cancelled: that would close the socket under the answer. Unread bytes stay in the socket.
    reader.releaseLock();
  }
}

/** JSON text of a caller as a plain value, with the guards of {@link readJsonBody}; else `bad_input`. */
export function parseJsonText(text: string): Outcome<unknown> {
  if (exceedsDepth(text, DEPTH_LIMIT)) {
    return fail("bad_input", `The JSON is nested deeper than ${DEPTH_LIMIT} levels. ${NOTHING_DONE}`);
  }
  if (exceedsValues(text, VALUE_LIMIT)) return fail("bad_input", formatTooManyValues(VALUE_LIMIT));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own sentence quotes the text, which may hold a secret; only the place is told.
    const place = /position (\d+)/.exec(String(error))?.[1];
    const where = place ? `it breaks at character ${place}` : "the text cannot be read as JSON";
    return fail("bad_input", `Invalid JSON: ${where}. ${NOTHING_DONE}`);
  }
  if (/__proto__|\\u00/.test(text) && hasPrototypeKey(value)) {
    return fail("bad_input", `The JSON has a field named __proto__, which is not taken. ${NOTHING_DONE}`);
  }
  const hostile = findUnstorableValue(value);
  return hostile === null ? succeed(value) : fail("bad_input", `${hostile} ${NOTHING_DONE}`);
}

/** @param value not nested deeper than {@link DEPTH_LIMIT} */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}

function startDeadline(timeLimitMs: number): { passed: Promise<"late">; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), timeLimitMs);
  });
  return { passed, stop: () => clearTimeout(timer) };
}
