import { MIMEType } from "node:util";
import { type Failure, fail, NOTHING_DONE, type Outcome, succeed } from "../outcome";
import { noteRequest } from "../request-id.server";
import { formatByteLimit, readLimitedBytes } from "./body.server";
import { findBodyLimits, type Posted } from "./body-limits.server";
import { requireValue } from "./replies.server";

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
    const intent = String(form.get("intent") ?? form.get("decision") ?? "");
    recordForm(form, intent);
    requireValue((await posted.context.checkIntent?.(intent)) ?? succeed(null));
    return succeed(form);
  } catch (error) {
    if (error instanceof Response) throw error;
    return fail("bad_input", `The form cannot be read. ${NOTHING_DONE}`);
  }
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
