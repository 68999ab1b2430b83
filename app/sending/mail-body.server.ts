import { NOTHING_DONE } from "~/platform/http/messages";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { checkFieldsOnServer } from "~/print/artwork/check-fields.server";
import { type LetterPdf, renderLetterPdf } from "~/print/letter/letter-pdf.server";
import { mergeBody } from "~/print/merge/merge-body.server";
import type { PreparedCall } from "./prepare.server";

/** provider-api.md §3.2. */
const PROVIDER_PAGES = 10;

/** A call ready to go out, and what the sender should know of its making. */
export interface FinishedCall {
  call: PreparedCall;
  notice: string | null;
}

/**
 * The last look at a letter or postcard: its files are checked by content (security.md row 18), its merge variables
 * are filled, and a letter's text becomes the PDF that is printed (spec §9 "Text-to-PDF defaults"), because the
 * provider knows no text content. Every other call passes as it is. Fails with `bad_input` or `too_large`; nothing has
 * gone out then.
 */
export async function finishMailBody(call: PreparedCall): Promise<Outcome<FinishedCall>> {
  if (call.class.kind !== "mail") return succeed({ call, notice: null });
  const fields = (call.body ?? {}) as Record<string, unknown>;
  const problems = checkFieldsOnServer(call.class.path, fields);
  if (problems.length > 0) {
    const told = problems.map(({ field, message }) => `${field}: ${message}`).join(" ");
    return fail("bad_input", `Validation errors: ${told} ${NOTHING_DONE}`);
  }
  const { body: merged, unknown } = mergeBody(fields);
  const { content, ...others } = merged;
  const empty = (name: string) => others[name] === undefined || others[name] === null || others[name] === "";
  const text = typeof content === "string" ? content : "";
  if (call.class.path !== "letters/create" || text === "" || !empty("file") || !empty("template")) {
    return succeed({ call: { ...call, body: merged }, notice: null });
  }
  const made = await renderLetterPdf(text, { pageSize: call.home === "US" ? "US-LETTER" : "A4" });
  if (!made.ok) return fail(made.failure.code, `${made.failure.message} ${NOTHING_DONE}`);
  const body = { ...others, file: Buffer.from(made.value.pdf).toString("base64") };
  return succeed({ call: { ...call, body }, notice: describeMaking(made.value, unknown) });
}

function describeMaking({ pages, missing }: LetterPdf, unknown: string[]): string | null {
  const notes: string[] = [];
  if (unknown.length > 0) {
    const names = unknown.map((name) => `{${name}}`).join(", ");
    notes.push(`Nothing filled ${names}: the letter has it as it stands.`);
  }
  if (pages > PROVIDER_PAGES) {
    notes.push(`The letter has ${pages} pages; the provider's reference allows ${PROVIDER_PAGES}.`);
  }
  if (missing.length > 0) {
    const named = missing.slice(0, 20).join(" ");
    notes.push(`These characters cannot be printed, and are shown as boxes or left out: ${named}`);
  }
  return notes.length > 0 ? notes.join(" ") : null;
}
