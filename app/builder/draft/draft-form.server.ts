import type { PresetCall } from "~/catalogue/types";
import { formatInteger } from "~/platform/format-integer";
import { sha256 } from "~/platform/hash.server";
import { getText } from "~/platform/http/body.server";
import { checkFileOnServer } from "~/print/artwork/check-file.server";
import { findFileRule, findTotalProblem } from "~/print/artwork/file-rules";
import { EMPTY_FILE } from "~/print/artwork/messages";
import { carriesBody, type Draft, FALLBACK_RECIPIENT, MAX_PAIRS, METHODS, type Pair } from "./draft";
import { RECIPIENT_CHOICE } from "./recipients";
import { buildBodyText, type Problem } from "./request";

/**
 * Parses the Builder's form as a browser without JavaScript posts it. Names: `method`, `path`, `field.<name>`,
 * `kept.<name>` and `kept-name.<name>` (a file that was posted before), `query.name`/`query.value` and
 * `header.name`/`header.value` in pairs, `body` with `body_built` (the hash of the text that we built) or
 * `body_follows` (from a page that knows that no one edited the body).
 */
export async function parseDraftForm(
  form: FormData,
  call: PresetCall,
): Promise<{ draft: Draft; problems: Problem[] }> {
  const problems: Problem[] = [];
  const draft: Draft = {
    method: METHODS.find((known) => known === getText(form, "method")) ?? call.method,
    path: getText(form, "path"),
    values: {},
    files: {},
    query: parsePairs(form, "query", problems),
    headers: parsePairs(form, "header", problems),
    body: null,
  };
  for (const field of call.fields) {
    const { name, type } = field;
    if (type === "several") draft.values[name] = form.getAll(`field.${name}`).join(",");
    else if (type !== "file") draft.values[name] = getLines(form, `field.${name}`);
    else {
      const message = await addFile(form, name, call, draft);
      if (message !== null) problems.push({ field: name, message });
    }
  }
  const choice = getText(form, `field.${RECIPIENT_CHOICE}`);
  if (choice !== "") draft.values[RECIPIENT_CHOICE] = choice;
  const body = getLines(form, "body");
  const follows = form.has("body_follows") || hashBody(body) === getText(form, "body_built");
  const untouched = !form.has("body") || follows;
  if (carriesBody(draft.method) && !untouched) draft.body = body;
  if (form.has("recipient_fallback") && draft.values.recipient === FALLBACK_RECIPIENT) {
    draft.fallbackRecipient = true;
  }
  return { draft, problems };
}

/** Hashes a built body. A posted body with another hash was edited by hand. */
function hashBody(text: string): string {
  return sha256(text).slice(0, 16);
}

/** Hashes a draft's built body for its form; "" if the body was edited by hand. */
export function hashDraftBody(draft: Draft, call: PresetCall): string {
  return draft.body === null ? hashBody(buildBodyText(draft, call)) : "";
}

/** Adds a posted file to the draft. A file that fails its check clears the field, and the problem is returned. */
async function addFile(
  form: FormData,
  field: string,
  call: PresetCall,
  draft: Draft,
): Promise<string | null> {
  const upload = form.get(`field.${field}`);
  const earlier = getText(form, `kept.${field}`);
  // Browsers post an empty file field as a file without a name.
  const fresh = upload instanceof File && (upload.size > 0 || upload.name !== "");
  if (!fresh && (earlier === "" || form.has(`drop.${field}`))) return null;
  const bytes = fresh ? Buffer.from(await upload.arrayBuffer()) : Buffer.from(earlier, "base64");
  const name = fresh ? upload.name : getText(form, `kept-name.${field}`);
  const rule = findFileRule(call.path, field);
  const checked = rule && (await checkFileOnServer(bytes, rule));
  if (checked && !checked.ok) return `${name}: ${checked.messages.join(". ")}`;
  const otherBytes = Object.values(draft.files).map((file) => file.bytes);
  const problem = bytes.length === 0 ? EMPTY_FILE : findTotalProblem(bytes.length, otherBytes);
  if (problem !== null) return `${name}: ${problem}`;
  draft.values[field] = fresh ? bytes.toString("base64") : earlier;
  const facts = checked?.file;
  draft.files[field] = { name, bytes: bytes.length, ...(facts ? { facts } : {}) };
  return null;
}

/** Parses at most {@link MAX_PAIRS} filled rows and reports dropped ones. */
function parsePairs(form: FormData, kind: "query" | "header", problems: Problem[]): Pair[] {
  const values = form.getAll(`${kind}.value`);
  const pairs = form
    .getAll(`${kind}.name`)
    .map((name, index) => ({ name: String(name), value: String(values[index] ?? "") }))
    .filter((pair) => pair.name !== "" || pair.value !== "");
  if (pairs.length > MAX_PAIRS) {
    const label = kind === "query" ? "Query parameter" : "Header";
    const posted = formatInteger(pairs.length);
    problems.push({ field: null, message: `${label}s: only the first ${MAX_PAIRS} of ${posted} were kept` });
  }
  return pairs.slice(0, MAX_PAIRS);
}

/** Returns a posted text with LF line ends: browsers post CRLF. */
function getLines(form: FormData, name: string): string {
  return getText(form, name).replaceAll("\r\n", "\n");
}
