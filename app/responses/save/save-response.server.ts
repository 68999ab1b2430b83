import { maskKey } from "~/outside/mail-provider/call/keys.server";
import { readAnswer } from "~/outside/mail-provider/call/read-answer.server";
import { dropCredentials } from "~/outside/mail-provider/call/wire.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatInteger } from "~/platform/format-integer";
import { sha256 } from "~/platform/hash.server";
import { isRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NOTHING_SAVED } from "../messages";
import { createResponseId, insertResponse, type NewResponse } from "../response-record.server";
import { toStoredResponse } from "../response-row.server";
import { findResponse, findResponseRow, toStoredAnswer } from "../search/find-response.server";
import type { StoredResponse } from "../stored-response.schema.server";
import { findCategoryAndPreset, stripFiles } from "./auto-save.server";
import { MAX_BODY_CHARS, type StoredBody, toBodyText, toStoredBody } from "./body-text";
import { parseSavedResponse, type SavedResponse } from "./save.schema.server";

/** Headers that are never stored. `authorization` and the like are dropped everywhere. */
const SECRET_HEADERS = ["cookie", "set-cookie", "proxy-authorization"];

const TOO_LARGE = `request_data is too large: without its files it may have ${formatInteger(MAX_BODY_CHARS)} characters at most. ${NOTHING_SAVED}`;

/**
 * Saves a response by hand, with secrets masked and large files stripped. With `response_id` of a stored response, fields
 * that are not given are copied from it; without tags of its own the stored response is the result, and nothing is saved.
 * `response_base64` has the answer's bytes, if `response_data` would lose large numbers or repeated names. With
 * `idempotency_key` the same person saves once. Fails with `bad_input`, `not_found` (user), `too_large` (request), or as the
 * database does; nothing is saved then.
 */
export async function saveResponse(input: unknown, viewer: Viewer): Promise<Outcome<StoredResponse>> {
  const original = await findOriginal(input);
  if (!original.ok) return original;
  const fields = Object.entries(Object(input)).filter(([, value]) => value !== undefined && value !== null);
  const parsed = parseSavedResponse(
    original.value ? { ...original.value, tags: undefined, ...Object.fromEntries(fields) } : input,
  );
  if (!parsed.ok) return parsed;
  const saved = parsed.value;
  if (original.value && !saved.tags?.length && saved.user_id === original.value.user_id) {
    return succeed(original.value);
  }
  const response = await buildResponse(saved, viewer);
  if (!response.ok) return response;
  const done = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    if (!(await userExists(db, saved.user_id))) return false;
    return insertResponse(db, response.value);
  });
  if (!done.ok) return done;
  if (!done.value) return fail("not_found", `There is no user with this ID. ${NOTHING_SAVED}`);
  const stored = await findResponse(response.value.id);
  if (!stored.ok) return stored;
  return stored.value
    ? succeed(stored.value)
    : fail("not_found", "The saved response has been deleted since.");
}

async function buildResponse(saved: SavedResponse, viewer: Viewer): Promise<Outcome<NewResponse>> {
  const { method, path, idempotency_key: key, duration_ms: durationMs } = saved;
  const kept = dropSecrets(saved.request_data ?? null);
  if (!kept.ok) return kept;
  // No request is the text "null": only an erased or expired one is null.
  const requestText = maskKey(JSON.stringify(await stripFiles(kept.value)));
  if (requestText.length > MAX_BODY_CHARS) return fail("too_large", TOO_LARGE);
  const body = await toResponseBody(saved);
  const { category, preset } = findCategoryAndPreset(method, path, saved.endpoint_preset || null);
  return succeed({
    id: key ? sha256(JSON.stringify([viewer.id, key])).slice(0, 32) : createResponseId(),
    userId: saved.user_id,
    actorId: viewer.actorId,
    kind: "manual",
    category: maskKey(saved.endpoint_category || category),
    preset: maskKey(saved.endpoint_preset || preset),
    method,
    path: maskKey(path),
    statusCode: saved.status_code ?? null,
    durationMs: typeof durationMs === "number" ? Math.round(durationMs) : null,
    tags: (saved.tags ?? []).map(maskKey),
    sendId: null,
    requestText,
    responseText: body.text,
    responseBytes: body.bytes,
    headersText: maskKey(JSON.stringify(dropSecretHeaders(saved.response_headers ?? {}))),
  });
}

async function toResponseBody(saved: SavedResponse): Promise<StoredBody> {
  const { response_data: data, response_base64: base64, response_headers: headers } = saved;
  if (typeof base64 === "string") {
    const { text, bytes } = await readAnswer(Buffer.from(base64, "base64"), headers?.["content-type"]);
    return toStoredBody(text, bytes);
  }
  if (data === undefined || data === null) return { text: null, bytes: null };
  // A text that could be JSON is stored as text.
  const text = typeof data === "string" && data.length <= MAX_BODY_CHARS ? JSON.stringify(data) : null;
  const body = text ?? toBodyText(typeof data === "string" ? data : JSON.stringify(data)) ?? "null";
  return { text: maskKey(body), bytes: null };
}

/** Drops credentials and cookies, which callers may have pasted into their request. */
function dropSecrets(request: unknown): Outcome<unknown> {
  const kept = dropCredentials(request);
  if (!kept.ok) return fail(kept.failure.code, `${kept.failure.message} ${NOTHING_SAVED}`);
  if (!isRecord(kept.value) || !isRecord(kept.value.headers)) return kept;
  return succeed({ ...kept.value, headers: dropSecretHeaders(kept.value.headers) });
}

function dropSecretHeaders(headers: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SECRET_HEADERS.includes(name.trim().toLowerCase())),
  );
}

async function findOriginal(input: unknown): Promise<Outcome<StoredResponse | null>> {
  const { response_id, response_data } = Object(input) as Record<string, unknown>;
  if (typeof response_id !== "string" || response_id === "") return succeed(null);
  const found = await findResponseRow(response_id);
  if (!found.ok || found.value === null) return found.ok ? succeed(null) : found;
  const { response_base64, ...stored } = toStoredResponse(found.value);
  if ((response_data ?? null) !== null) return succeed(stored);
  const { bytes } = toStoredAnswer(found.value);
  return succeed({ ...stored, response_base64: Buffer.from(bytes).toString("base64") });
}
