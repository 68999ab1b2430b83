import { parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { checkFieldsOnServer } from "~/print/artwork/check-file.server";
import { type LetterPdf, renderLetterPdf } from "~/print/letter/letter-pdf.server";
import { findPageSize } from "~/print/letter/page";
import { formatVariables, listVariables } from "~/print/merge/merge";
import { mergeBody } from "~/print/merge/merge-body.server";
import { formatUnprintable } from "~/print/messages";
import type { MailType } from "../mail-type";
import type { MailCall } from "./mail-call.server";
import { findMissing } from "./mail-fields";

/** Limit of pages in one letter, by the provider's reference. */
const PROVIDER_PAGES = 10;

/** A call ready to be sent, with a notice for its sender. */
export interface FinishedCall {
  call: MailCall;
  notice: string | null;
}

/**
 * Finishes a letter or postcard: checks its files by content, fills its merge variables, and turns a letter's text into a
 * PDF, because the provider takes no text. Fails with `bad_input`, also for a variable without a value and for live mail
 * without a recipient or content, or `too_large`; nothing was sent then.
 * @param saved details of the saved recipient, for its texts
 */
export async function finishMailBody(
  call: MailCall,
  saved: Readonly<Record<string, string>> = {},
): Promise<Outcome<FinishedCall>> {
  const finished = await finishBody(call, saved);
  if (!finished.ok || !call.live) return finished;
  const { mailType, path } = call;
  const missing = findMissing(path, parseRecord(finished.value.call.body));
  return missing === null ? finished : fail("bad_input", formatMissing(mailType, missing));
}

async function finishBody(
  call: MailCall,
  saved: Readonly<Record<string, string>>,
): Promise<Outcome<FinishedCall>> {
  const fields = (call.body ?? {}) as Record<string, unknown>;
  const checked = await checkFieldsOnServer(call.path, fields);
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
  if (call.path !== "letters/create" || text === "" || !empty("file") || !empty("template")) {
    return succeed({ call: { ...call, body: merged }, notice: null });
  }
  const made = await renderLetterPdf(text, { pageSize: findPageSize(call.home) });
  if (!made.ok) return fail(made.failure.code, `${made.failure.message} ${NOTHING_DONE}`);
  const body = { ...others, file: Buffer.from(made.value.pdf).toString("base64") };
  return succeed({ call: { ...call, body }, notice: formatNotice(made.value) });
}

/**
 * Finds the saved recipient's ID and the variables in the printed texts, which its details may fill; null without
 * variables, and for a recipient given with the piece.
 */
export function findSavedVariables(call: MailCall): { recipientId: string; names: string[] } | null {
  const { recipient } = (call.body ?? {}) as Record<string, unknown>;
  const names = listPrintedTexts(call).flatMap(listVariables);
  if (typeof recipient !== "string" && typeof recipient !== "number") return null;
  return names.length === 0 || recipient === "" ? null : { recipientId: String(recipient).trim(), names };
}

/** Lists the texts that will be printed. A letter's text counts only without a template and a file. */
function listPrintedTexts(call: MailCall): string[] {
  const { message, content, template, file } = (call.body ?? {}) as Record<string, unknown>;
  const text = call.path.startsWith("letters/") ? (template || file ? null : content) : message;
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

function formatMissing(mailType: MailType, missing: "recipient" | "content"): string {
  return `This ${mailType} has no ${missing}. ${NOTHING_DONE} Add ${missing === "recipient" ? "a recipient" : "its content"} and send it again.`;
}

/** @param problems "field: what is wrong." */
function formatValidationErrors(problems: readonly string[]): string {
  return `Validation errors: ${problems.join(" ")} ${NOTHING_DONE}`;
}

/** Formats "{offer} has no value: give it one or remove it from the text." */
export function formatUnfilled(names: readonly string[]): string {
  return names.length === 1
    ? `${formatVariables(names)} has no value: give it one or remove it from the text.`
    : `${formatVariables(names)} have no value: give them one or remove them from the text.`;
}

function formatTooManyPages(pages: number, limit: number): string {
  return `The letter has ${pages} pages; the provider's reference allows ${limit}.`;
}
