import { withDatabase } from "~/platform/database/database.server";
import { parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { checkFieldsOnServer, readFileFacts, readPdfOnServer } from "~/print/artwork/check-file.server";
import { type Finding, toCameBack } from "~/print/layout/finding";
import { listFindings } from "~/print/layout/findings";
import { findLetterText } from "~/print/layout/layout";
import { readPreviewState } from "~/print/layout/preview-content";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { type LetterPdf, renderLetterPdf } from "~/print/letter/letter-pdf.server";
import { EMPTY_DRAWING, findPageSize } from "~/print/letter/page";
import { formatVariables, listVariables } from "~/print/merge/merge";
import { mergeBody } from "~/print/merge/merge-body.server";
import { formatUnprintable } from "~/print/messages";
import { parseAddressee } from "~/recipients/addressee.server";
import type { MailType } from "../mail-type";
import { findReturned } from "../returned-mail.server";
import { findMissing, type MailCall } from "./mail-call.server";

/** Limit of pages in one letter, by the provider's reference. */
const PROVIDER_PAGES = 10;

/**
 * Finishes a letter or postcard: checks its files by content, fills its merge variables, and turns a letter's text into a
 * PDF, because the provider takes no text. Fails with `bad_input`, also for a variable without a value and for live mail
 * without a recipient or content, or `too_large`; nothing was sent then.
 * @param saved details of the saved recipient, for its texts
 */
export async function finishMailBody(call: MailCall, saved: Readonly<Record<string, string>> = {}) {
  const finished = await finishBody(call, saved);
  if (!finished.ok || !call.live) return finished;
  const missing = findMissing(call.path, parseRecord(finished.value.call.body));
  return missing === null ? finished : fail("bad_input", formatMissing(call.mailType, missing));
}

async function finishBody(call: MailCall, saved: Readonly<Record<string, string>>) {
  const fields = parseRecord(call.body);
  const checked = await checkFieldsOnServer(call.path, fields);
  if (!checked.ok) return fail(checked.failure.code, `${checked.failure.message} ${NOTHING_DONE}`);
  if (checked.value.length > 0) {
    const listed = checked.value.map(({ field, message }) => `${field}: ${message}`);
    return fail("bad_input", `Validation errors: ${listed.join(" ")} ${NOTHING_DONE}`);
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
  const made = await renderLetterPdf({ text, pageSize: findPageSize(call.home) });
  if (!made.ok) return fail(made.failure.code, `${made.failure.message} ${NOTHING_DONE}`);
  const body = { ...others, file: Buffer.from(made.value.pdf).toString("base64") };
  return succeed({ call: { ...call, body }, notice: formatNotice(made.value) });
}

/**
 * Finds the saved recipient's ID and the variables in the printed texts, which its details may fill; null without
 * variables, and for a recipient given with the piece.
 */
export function findSavedVariables(call: MailCall): { recipientId: string; names: string[] } | null {
  const { recipient } = parseRecord(call.body);
  const names = listPrintedTexts(call).flatMap(listVariables);
  if (typeof recipient !== "string" && typeof recipient !== "number") return null;
  return names.length === 0 || recipient === "" ? null : { recipientId: String(recipient).trim(), names };
}

/** Lists the texts that will be printed. A letter's text counts only without a template and a file. */
function listPrintedTexts(call: MailCall): string[] {
  const { message, content, template, file } = parseRecord(call.body);
  const text = call.path.startsWith("letters/") ? (template || file ? null : content) : message;
  return typeof text === "string" ? [text] : [];
}

function formatNotice({ pages, missing }: LetterPdf): string | null {
  const notes = [
    pages > PROVIDER_PAGES &&
      `The letter has ${pages} pages; the provider's reference allows ${PROVIDER_PAGES}.`,
    missing.length > 0 && formatUnprintable(missing),
  ];
  return notes.filter(Boolean).join(" ") || null;
}

function formatMissing(mailType: MailType, missing: "recipient" | "content"): string {
  return `This ${mailType} has no ${missing}. ${NOTHING_DONE} Add ${missing === "recipient" ? "a recipient" : "its content"} and send it again.`;
}

/** Formats "{offer} has no value: give it one or remove it from the text." */
export function formatUnfilled(names: readonly string[]): string {
  return names.length === 1
    ? `${formatVariables(names)} has no value: give it one or remove it from the text.`
    : `${formatVariables(names)} have no value: give them one or remove them from the text.`;
}

/**
 * Lists the findings of a piece: what sending would refuse, what would be printed wrong, and whether mail to its address came
 * back. Sends, stores and charges nothing. Fails with `too_complex` or `overloaded`, or as the database does.
 */
export async function preflight(call: MailCall): Promise<Outcome<Finding[]>> {
  const { path, mailType, home, baseUrl, body } = call;
  const fields = parseRecord(body);
  const files = await checkFieldsOnServer(path, fields);
  if (!files.ok) return files;
  const returned = await withDatabase((db) => findReturned(db, parseAddressee(fields), baseUrl));
  if (!returned.ok) return returned;
  const state = readPreviewState(mailType, fields, home, await readFileFacts(path, fields));
  const text = findLetterText(state);
  const drawn = text === null ? null : await drawLetter(text, findPageSize(home));
  const letter = drawn && {
    drawing: drawn.ok ? drawn.value : EMPTY_DRAWING,
    problem: drawn.ok ? null : drawn.failure.message,
  };
  // A file that is refused is not read.
  const pdf = files.value.length > 0 ? null : await readPdfOnServer(mailType, fields);
  const missing = findMissing(path, fields);
  // A letter's text becomes its file.
  const lacks = missing === "content" && text !== null && text !== "" ? null : missing;
  const ruins = { tone: "ruins", code: "refused" } as const;
  return succeed([
    ...files.value.map(({ field, message }): Finding => ({ ...ruins, field, text: message })),
    ...(lacks ? [{ ...ruins, field: null, text: `This ${mailType} has no ${lacks}.` }] : []),
    ...(returned.value ? [toCameBack(returned.value)] : []),
    // Sending refuses a placeholder without a value.
    ...listFindings(state, letter, pdf).map(
      (finding): Finding => (finding.code === "no_value" ? { ...finding, tone: "ruins" } : finding),
    ),
  ]);
}
