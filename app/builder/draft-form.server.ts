import { createHash } from "node:crypto";
import type { FormField, Method } from "~/catalogue/types";
import { checkFile } from "~/print/artwork/check-file";
import { findFileRule, findTotalProblem } from "~/print/artwork/file-rules";
import { EMPTY_FILE } from "~/print/artwork/messages";
import { type CallTemplate, carriesBody, type Draft, dropFallbackUnlessTest, type Pair } from "./draft";
import { FALLBACK_RECIPIENT } from "./editor/recipients";
import { buildBodyText, type Problem } from "./request/request";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * The Builder's form as a browser without JavaScript posts it. Names: `method`, `path`, `field.<name>`,
 * `kept.<name>` and `kept-name.<name>` (a file of an earlier round), `query.name`/`query.value` and
 * `header.name`/`header.value` in pairs, `body` and `body_built` (the mark of the text as we built it), or
 * `body_follows` from a page that knows that nobody typed there.
 */
export async function parseDraftForm(
  form: FormData,
  template: CallTemplate,
): Promise<{ draft: Draft; problems: Problem[] }> {
  const problems: Problem[] = [];
  const draft: Draft = {
    method: parseMethod(form, template.method),
    path: getText(form, "path"),
    values: {},
    files: {},
    query: parsePairs(form, "query"),
    headers: parsePairs(form, "header"),
    body: null,
  };
  for (const field of template.fields) {
    if (field.type === "file") problems.push(...(await parseFile(form, field, template, draft)));
    else draft.values[field.name] = getLines(form, `field.${field.name}`);
  }
  const body = getLines(form, "body");
  const follows = form.has("body_follows") || hashBody(body) === getText(form, "body_built");
  const untouched = !form.has("body") || follows;
  if (carriesBody(draft.method) && !untouched) draft.body = body;
  if (form.has("recipient_fallback") && draft.values.recipient === FALLBACK_RECIPIENT) {
    draft.fallbackRecipient = true;
  }
  return { draft: dropFallbackUnlessTest(draft), problems };
}

/** A short mark of a body as we built it; a text with another mark was typed by hand. */
function hashBody(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The mark that the form carries for a draft: of the built text, or none when it is hand-written. */
export function hashDraftBody(draft: Draft, template: CallTemplate): string {
  return draft.body === null ? hashBody(buildBodyText(draft, template)) : "";
}

/** A file that fails its check clears the field, and says why (spec §5). */
async function parseFile(
  form: FormData,
  field: FormField,
  template: CallTemplate,
  draft: Draft,
): Promise<Problem[]> {
  const upload = form.get(`field.${field.name}`);
  const kept = getText(form, `kept.${field.name}`);
  // A field in which nothing was chosen is posted as a file without a name.
  const fresh = upload instanceof File && (upload.size > 0 || upload.name !== "");
  if (!fresh && (kept === "" || form.has(`drop.${field.name}`))) return [];
  const bytes = fresh ? Buffer.from(await upload.arrayBuffer()) : Buffer.from(kept, "base64");
  const name = fresh ? upload.name : getText(form, `kept-name.${field.name}`);
  const rule = findFileRule(template.path, field.name);
  const verdict = rule && checkFile(bytes, rule);
  if (verdict && !verdict.ok)
    return [{ field: field.name, message: `${name}: ${verdict.messages.join(". ")}` }];
  const problem =
    bytes.length === 0
      ? EMPTY_FILE
      : findTotalProblem(
          bytes.length,
          Object.values(draft.files).map((file) => file.bytes),
        );
  if (problem !== null) return [{ field: field.name, message: `${name}: ${problem}` }];
  draft.values[field.name] = fresh ? bytes.toString("base64") : kept;
  const facts = verdict?.file;
  draft.files[field.name] = { name, bytes: bytes.length, ...(facts ? { facts } : {}) };
  return [];
}

function parseMethod(form: FormData, fallback: Method): Method {
  const method = getText(form, "method");
  return METHODS.includes(method) ? (method as Method) : fallback;
}

function parsePairs(form: FormData, kind: "query" | "header"): Pair[] {
  const values = form.getAll(`${kind}.value`);
  return form
    .getAll(`${kind}.name`)
    .map((name, index) => ({ name: String(name), value: String(values[index] ?? "") }))
    .filter((pair) => pair.name !== "" || pair.value !== "");
}

/** A posted text with the line ends it has in the page: browsers post others. */
function getLines(form: FormData, name: string): string {
  return getText(form, name).replaceAll("\r\n", "\n");
}

function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
