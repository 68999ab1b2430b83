import { MIMEType } from "node:util";
import type { AppLoadContext } from "@remix-run/node";
import { noteRequest } from "../log.server";
import { type Failure, fail, NOTHING_DONE, type Outcome, succeed } from "../outcome";
import { requireValue } from "./replies.server";

export interface BodyLimits {
  /** Bytes from a caller without a session or signature. */
  anonymousBytes: number;
  /** Bytes from a caller with a session or signature. */
  knownBytes: number;
  /** Fields and files of a form. */
  fields: number;
}

/** Limits of a route without its own in the access table. */
export const SMALL_BODY: BodyLimits = { anonymousBytes: 16 * 1024, knownBytes: 16 * 1024, fields: 500 };

declare module "@remix-run/node" {
  interface AppLoadContext {
    bodyLimits?: BodyLimits;
  }
}

export type Posted = { request: Request; context: AppLoadContext };

export function findBodyLimits({ context }: Pick<Posted, "context">): BodyLimits {
  return context.bodyLimits ?? SMALL_BODY;
}

/** Reads the body of an answer; null, and the connection is closed, when it is larger than the limit. */
export async function readBytes(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Time for a small body; larger ones get more, for a slow line. */
const BODY_TIME_LIMIT_MS = 10_000;
const BODY_BYTES_PER_MS = 400;

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

/** "20 MB" or "16 KB". */
function formatByteLimit(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Math.round(bytes / 1024 / 1024)} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} KB` : `${bytes} bytes`;
}

/** A form whose `intent` the page does not know. */
export const UNKNOWN_FORM: Failure = { code: "bad_input", message: "Unknown form. Nothing was changed." };

const SUBJECT_FIELDS = ["user_id", "token", "alarm", "item", "recipient", "id", "row"];
const ID = /^[\w.:-]{1,80}$/;
const MAX_IDS = 20;

/**
 * Reads a posted form with its files. Counts its bytes as they arrive, and its fields before they are parsed.
 * Fails with `too_large`, or `bad_input` when it has too many fields or cannot be read.
 * @param isKnown true for a caller with a session, for whom the limits may be higher
 * @throws Response 403 when the person does not have the scope of the form
 */
export async function readPageForm(posted: Posted, isKnown: boolean): Promise<Outcome<FormData>> {
  const { knownBytes, anonymousBytes, fields } = findBodyLimits(posted);
  const type = posted.request.headers.get("Content-Type") ?? "";
  const limitBytes = isKnown ? knownBytes : anonymousBytes;
  const bytes = await readLimitedBytes(posted.request, limitBytes);
  if (!bytes.ok && bytes.failure.code === "too_large") {
    const end = limitBytes < knownBytes ? " while you are signed out. Sign in and send it again." : ".";
    const problem = `The form with its files is larger than ${formatByteLimit(limitBytes)}${end}`;
    return fail("too_large", `${problem} ${NOTHING_DONE}`);
  }
  if (!bytes.ok) return bytes;
  const body = Buffer.from(bytes.value);
  if (hasMoreFields(body, type, fields)) {
    return fail("bad_input", `The form has more than ${fields} fields. ${NOTHING_DONE}`);
  }
  try {
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    const intent = getText(form, "intent") || getText(form, "decision");
    recordForm(form, intent);
    requireValue((await posted.context.checkIntent?.(intent)) ?? succeed(null));
    return succeed(form);
  } catch (error) {
    if (error instanceof Response) throw error;
    return fail("bad_input", `The form cannot be read. ${NOTHING_DONE}`);
  }
}

/** Returns a text of a form; "" without the field, and for a file. */
export function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Adds the form's intent and IDs to the audit log's facts. Other texts may be personal. */
function recordForm(form: FormData, intent: string): void {
  const ids = SUBJECT_FIELDS.flatMap((name) => form.getAll(name).map(String)).filter((id) => ID.test(id));
  noteRequest({
    ...(/^[a-z_-]{1,40}$/.test(intent) ? { intent } : {}),
    ...(ids.length > 0 ? { subject: ids.slice(0, MAX_IDS).join(" ") } : {}),
  });
}

/** Counts the separators between fields, which is far faster than parsing. */
function hasMoreFields(body: Buffer, type: string, limit: number): boolean {
  const separator = findSeparator(type);
  let fields = 0;
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + separator.length)) {
    fields++;
    if (fields > limit) return true;
  }
  return false;
}

/** Reads the type as the parser does, so that both see the same fields. */
function findSeparator(type: string): string {
  try {
    const { essence, params } = new MIMEType(type);
    return essence === "multipart/form-data" ? `--${params.get("boundary") ?? ""}` : "&";
  } catch {
    return "&";
  }
}
