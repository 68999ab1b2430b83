import { NOTHING_DONE } from "~/platform/http/messages";
import { parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { checkFieldsOnServer } from "~/print/artwork/check-fields.server";
import { type LetterPdf, renderLetterPdf } from "~/print/letter/letter-pdf.server";
import { findPageSize } from "~/print/letter/page";
import { listVariables } from "~/print/merge/merge";
import { mergeBody } from "~/print/merge/merge-body.server";
import { formatUnprintable } from "~/print/messages";
import { findMissing } from "./mail-fields";
import { formatMissing, formatTooManyPages, formatUnfilled, formatValidationErrors } from "./messages";
import type { PreparedCall } from "./prepare-call.server";

/** Pages that the provider prints in one letter, by its reference. */
const PROVIDER_PAGES = 10;

/** A call ready to be sent, and what the sender should know about how it was made. */
export interface FinishedCall {
  call: PreparedCall;
  notice: string | null;
}

/**
 * Finishes a letter or postcard: checks its files by content, fills its merge variables, and turns a letter's text into a
 * PDF, because the provider takes no text. Any other call stays as it is. Fails with `bad_input`, also for a variable
 * without a value and for live mail without a recipient or content, or `too_large`; nothing was sent then.
 * @param saved details of the saved recipient, for its texts
 */
export async function finishMailBody(
  call: PreparedCall,
  saved: Readonly<Record<string, string>> = {},
): Promise<Outcome<FinishedCall>> {
  const finished = await finishBody(call, saved);
  if (!finished.ok || !call.live || call.class.kind !== "mail") return finished;
  const { mailType, path } = call.class;
  const missing = findMissing(path, parseRecord(finished.value.call.body));
  return missing === null ? finished : fail("bad_input", formatMissing(mailType, missing));
}

async function finishBody(
  call: PreparedCall,
  saved: Readonly<Record<string, string>>,
): Promise<Outcome<FinishedCall>> {
  if (call.class.kind !== "mail") return succeed({ call, notice: null });
  const fields = (call.body ?? {}) as Record<string, unknown>;
  const checked = await checkFieldsOnServer(call.class.path, fields);
  if (!checked.ok) return fail(checked.failure.code, `${checked.failure.message} ${NOTHING_DONE}`);
  if (checked.value.length > 0) {
    const listed = checked.value.map(({ field, message }) => `${field}: ${message}`);
    return fail("bad_input", formatValidationErrors(listed));
  }
  const filled = mergeBody(fields, saved);
  if (!filled.ok) return fail(filled.failure.code, `${filled.failure.message} ${NOTHING_DONE}`);
  const { body: merged, unknown } = filled.value;
  const { content, ...others } = merged;
  const empty = (name: string) => others[name] === undefined || others[name] === null || others[name] === "";
  const text = typeof content === "string" ? content : "";
  if (unknown.length > 0 && listPrintedTexts(call).length > 0)
    return fail("bad_input", `${formatUnfilled(unknown)} ${NOTHING_DONE}`);
  if (call.class.path !== "letters/create" || text === "" || !empty("file") || !empty("template")) {
    return succeed({ call: { ...call, body: merged }, notice: null });
  }
  const made = await renderLetterPdf(text, { pageSize: findPageSize(call.home) });
  if (!made.ok) return fail(made.failure.code, `${made.failure.message} ${NOTHING_DONE}`);
  const body = { ...others, file: Buffer.from(made.value.pdf).toString("base64") };
  return succeed({ call: { ...call, body }, notice: formatNotice(made.value) });
}

/**
 * The saved recipient's ID and the variables in the texts that are printed, which its details may fill; null without
 * variables, and for a recipient given with the piece.
 */
export function findSavedVariables(call: PreparedCall): { recipientId: string; names: string[] } | null {
  if (call.class.kind !== "mail") return null;
  const { recipient } = (call.body ?? {}) as Record<string, unknown>;
  const names = listPrintedTexts(call).flatMap(listVariables);
  if (typeof recipient !== "string" && typeof recipient !== "number") return null;
  return names.length === 0 || recipient === "" ? null : { recipientId: String(recipient).trim(), names };
}

/** The texts that will be printed: a letter's text counts only without a template and a file. */
function listPrintedTexts(call: PreparedCall): string[] {
  const { message, content, template, file } = (call.body ?? {}) as Record<string, unknown>;
  const text = call.class.path.startsWith("letters/") ? (template || file ? null : content) : message;
  return typeof text === "string" ? [text] : [];
}

function formatNotice({ pages, missing }: LetterPdf): string | null {
  const notes: string[] = [];
  if (pages > PROVIDER_PAGES) {
    notes.push(formatTooManyPages(pages, PROVIDER_PAGES));
  }
  if (missing.length > 0) {
    notes.push(formatUnprintable(missing));
  }
  return notes.length > 0 ? notes.join(" ") : null;
}
