import { MIMEType } from "node:util";
import { type Failure, fail, NOTHING_DONE, type Outcome, succeed } from "../outcome";
import { noteRequest } from "../request-id.server";
import { readLimitedBytes } from "./body.server";
import { type BodyLimits, findBodyLimits, type Posted } from "./body-limits.server";
import { formatFormTooLarge, formatTooManyFields } from "./messages";
import { requireValue } from "./replies.server";

/** A form whose `intent` the page does not know. */
export const UNKNOWN_FORM: Failure = { code: "bad_input", message: "Unknown form. Nothing was changed." };

const SUBJECT_FIELDS = ["user_id", "token", "alarm", "item", "recipient", "id", "row"];
const ID = /^[\w.:-]{1,80}$/;
const MAX_IDS = 20;

/**
 * A posted form with its files. Its size is counted as it arrives, and its fields before it is parsed.
 * Fails with `too_large`, or `bad_input` when it has too many fields or cannot be read.
 * @param isKnown whether the caller has a session: the route may then take more
 * @throws Response 403 when the person does not have the scope of the form
 */
export async function readPageForm(posted: Posted, isKnown: boolean): Promise<Outcome<FormData>> {
  const limits = findBodyLimits(posted);
  const type = posted.request.headers.get("Content-Type") ?? "";
  const bytes = await readLimitedBytes(posted.request, isKnown ? limits.knownBytes : limits.anonymousBytes);
  if (!bytes.ok && bytes.failure.code === "too_large") return refuseSize(limits, isKnown);
  if (!bytes.ok) return bytes;
  const body = Buffer.from(bytes.value);
  if (hasMoreFields(body, type, limits.fields)) return fail("bad_input", formatTooManyFields(limits.fields));
  try {
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    const intent = String(form.get("intent") ?? form.get("decision") ?? "");
    noteForm(form, intent);
    requireValue((await posted.context.checkIntent?.(intent)) ?? succeed(null));
    return succeed(form);
  } catch (error) {
    if (error instanceof Response) throw error;
    return fail("bad_input", `The form cannot be read. ${NOTHING_DONE}`);
  }
}

/** Notes what a form does, and about which ids; a text that is no id may be personal. */
function noteForm(form: FormData, intent: string): void {
  const ids = SUBJECT_FIELDS.flatMap((name) => form.getAll(name).map(String)).filter((id) => ID.test(id));
  noteRequest({
    ...(/^[a-z_-]{1,40}$/.test(intent) ? { intent } : {}),
    ...(ids.length > 0 ? { subject: ids.slice(0, MAX_IDS).join(" ") } : {}),
  });
}

/**
 * The first text of each named field, and nothing else of the form. A library that reads a field's name as a path
 * (`a[4294967294]`) is only given these names.
 */
export function pickFields(form: FormData, names: readonly string[]): FormData {
  const picked = new FormData();
  for (const name of names) {
    const value = form.get(name);
    if (typeof value === "string") picked.set(name, value);
  }
  return picked;
}

function refuseSize(limits: BodyLimits, isKnown: boolean): Outcome<never> {
  const limitBytes = isKnown ? limits.knownBytes : limits.anonymousBytes;
  return fail("too_large", formatFormTooLarge(limitBytes, limitBytes < limits.knownBytes));
}

/** Counts what separates two fields, which parsing takes far longer for than counting. */
function hasMoreFields(body: Buffer, type: string, limit: number): boolean {
  const separator = findSeparator(type);
  let fields = 0;
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + separator.length)) {
    fields++;
    if (fields > limit) return true;
  }
  return false;
}

/** Read from the type as the parser reads it, so that both see the same fields. */
function findSeparator(type: string): string {
  try {
    const { essence, params } = new MIMEType(type);
    return essence === "multipart/form-data" ? `--${params.get("boundary") ?? ""}` : "&";
  } catch {
    return "&";
  }
}
