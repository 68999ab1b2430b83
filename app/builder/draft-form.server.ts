import { createHash } from "node:crypto";
import type { FormField, Method } from "~/catalogue/types";
import { type CallTemplate, type ChosenFile, carriesBody, type Draft, type Pair } from "./draft";
import { buildBodyText } from "./request";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * The Builder's form as a browser without JavaScript posts it. Names: `method`, `path`, `field.<name>`,
 * `kept.<name>` and `kept-name.<name>` (a file of an earlier round), `query.name`/`query.value` and
 * `header.name`/`header.value` in pairs, `body` and `body_built` (the mark of the text as we built it), or
 * `body_follows` from a page that knows that nobody typed there.
 */
export async function readDraftForm(form: FormData, template: CallTemplate): Promise<Draft> {
  const draft: Draft = {
    method: readMethod(form, template.method),
    path: readText(form, "path"),
    values: {},
    files: {},
    query: readPairs(form, "query"),
    headers: readPairs(form, "header"),
    body: null,
  };
  for (const field of template.fields) {
    if (field.type === "file") await readFile(form, field, draft);
    else draft.values[field.name] = readText(form, `field.${field.name}`);
  }
  const body = readText(form, "body").replaceAll("\r\n", "\n");
  const follows = form.has("body_follows") || markBody(body) === readText(form, "body_built");
  const untouched = !form.has("body") || follows;
  if (carriesBody(draft.method) && !untouched) draft.body = body;
  return draft;
}

/** A short mark of a body as we built it; a text with another mark was typed by hand. */
function markBody(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The mark that the form carries for a draft: of the built text, or none when it is hand-written. */
export function markDraft(draft: Draft, template: CallTemplate): string {
  return draft.body === null ? markBody(buildBodyText(draft, template)) : "";
}

async function readFile(form: FormData, field: FormField, draft: Draft): Promise<void> {
  const upload = form.get(`field.${field.name}`);
  const kept = readText(form, `kept.${field.name}`);
  let file: ChosenFile | null = null;
  if (upload instanceof File && upload.size > 0) {
    draft.values[field.name] = Buffer.from(await upload.arrayBuffer()).toString("base64");
    file = { name: upload.name, bytes: upload.size };
  } else if (kept !== "" && !form.has(`drop.${field.name}`)) {
    draft.values[field.name] = kept;
    file = { name: readText(form, `kept-name.${field.name}`), bytes: Buffer.byteLength(kept, "base64") };
  }
  if (file) draft.files[field.name] = file;
}

function readMethod(form: FormData, fallback: Method): Method {
  const method = readText(form, "method");
  return METHODS.includes(method) ? (method as Method) : fallback;
}

function readPairs(form: FormData, kind: "query" | "header"): Pair[] {
  const values = form.getAll(`${kind}.value`);
  return form
    .getAll(`${kind}.name`)
    .map((name, index) => ({ name: String(name), value: String(values[index] ?? "") }))
    .filter((pair) => pair.name !== "" || pair.value !== "");
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
