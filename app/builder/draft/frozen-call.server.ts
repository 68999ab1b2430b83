import { formatRepeatRisk, REQUEST_ERASED } from "~/pieces/page/messages";
import { findSend, isErasedRequest, loadRequestBody } from "~/pieces/send/find-send.server";
import { dropSendTags } from "~/pieces/send-tag";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { StoredCall } from "~/responses/stored-call.server";
import { formatMoment } from "~/ui/moment";
import { nestFields, typeFormValues } from "./curl-body.server";
import { reopenUnderPreset, selectTemplate, toBaseUrlView } from "./presets.server";
import { dropJson, findBase } from "./read-address";

/** Placeholder that replaces a stored file after a day. */
const REDUCED = /^\[([\d,]+) characters of a file\]$/;
/** Headers that Mailroom adds to every call. */
const OWN_HEADERS = /^(?:accept|authorization|.*idempotency.*)$/i;

/**
 * Loads the frozen request of a live piece, which outlives its stored response. Fails with `not_found` when the piece does
 * not exist or its request was erased.
 */
export async function loadFrozenCall(id: string): Promise<Outcome<StoredCall>> {
  const loaded = await withDatabase(async (db) => {
    const send = await findSend(db, id);
    return send && { send, text: await loadRequestBody(db, id) };
  });
  if (!loaded.ok) return loaded;
  if (!loaded.value) return fail("not_found", "There is no stored response or piece with this id.");
  const { send, text } = loaded.value;
  if (isErasedRequest(text)) return fail("not_found", REQUEST_ERASED);
  const { method, path, userId, createdAt, url } = send;
  const base = findBase(url, env().baseUrls.map(toBaseUrlView));
  const json = parseJson(text);
  const headers = Object.entries(parseRecord(parseJson(send.requestHeaders)));
  const body = restoreBody(json === undefined ? nestFields([...new URLSearchParams(text)]) : json);
  const call = {
    base: base?.label ?? "",
    method,
    path: dropJson(path, base),
    query: {},
    headers: Object.fromEntries(
      headers
        .filter(([name, value]) => !OWN_HEADERS.test(name) && !/json/i.test(String(value)))
        .map(([name, value]) => [name, String(value)]),
    ),
    body,
  };
  return succeed({
    call: json === undefined ? { ...call, body: typeAsForm(call) } : call,
    presetId: "",
    userId,
    sentAt: formatMoment(createdAt, new Date()).absolute,
  });
}

/** Loads the risk of sending a live piece again; null when it was not mailed, does not exist or cannot be read. */
export async function loadRepeatRisk(id: string): Promise<string | null> {
  const found = await withDatabase((db) => findSend(db, id));
  return found.ok && found.value ? formatRepeatRisk(found.value) : null;
}

/** Removes the piece's tag and marks each file that was not kept. */
function restoreBody(sent: unknown): unknown {
  const body = parseRecord(sent);
  const { tags, ...others } = body;
  const kept = typeof tags === "string" ? dropSendTags(tags) : "";
  return markFiles(kept === "" ? others : { ...others, tags: kept });
}

function markFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(markFiles);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, markFiles(inner)]));
  }
  const [, characters] = (typeof value === "string" && REDUCED.exec(value)) || [];
  if (characters === undefined) return value;
  return { elided: "base64", bytes: Math.round((Number(characters.replaceAll(",", "")) * 3) / 4) };
}

/** Converts the texts of a form to the values of its preset's form. */
function typeAsForm(call: StoredCall["call"]): unknown {
  const { preset, documented } = reopenUnderPreset(call, "");
  return typeFormValues(call.body, selectTemplate(preset, documented).fields);
}
