import { loadList } from "~/bulk/list-record.server";
import { loadListTemplate } from "~/bulk/list-template.server";
import { ERASED } from "~/bulk/messages";
import { formatRepeatRisk, REQUEST_ERASED } from "~/pieces/page/messages";
import { isErasedRequest, loadRequestBody } from "~/pieces/send/request-body.server";
import { findSend } from "~/pieces/send/send-record.server";
import { dropSendTags } from "~/pieces/send-tag";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatBytes } from "~/platform/format-integer";
import { parseJson, parseRecord } from "~/platform/json-value";
import { type Failed, fail, type Outcome, succeed } from "~/platform/outcome";
import { loadStoredCall, type StoredCall } from "~/responses/search/find-response.server";
import { formatMoment } from "~/ui/moment";
import { nestFields, typeFormValues } from "./curl-body.server";
import type { Draft, DraftWithChoices, OpeningNotice, TeamTemplate } from "./draft";
import { formatWasLive } from "./messages";
import { findParkedDraft } from "./parked-draft.server";
import { findPresetCall, reopenUnderPreset, toBaseUrlView } from "./presets.server";
import { dropJson, findBase } from "./read-address";
import { loadTeamTemplate } from "./team-template.server";

/** The source from which the server opens a draft. Without one, the page opens its preset. */
export type DraftSource =
  | { from: "parked"; id: string; viewerId: string }
  | { from: "response"; id: string }
  /** A piece that is to be sent again, also if its stored response was deleted or has expired. */
  | { from: "piece"; id: string }
  | { from: "template"; id: string }
  | { from: "list"; id: string };

interface OpenedDraft {
  draft: DraftWithChoices;
  notices: OpeningNotice[];
  teamTemplate?: TeamTemplate;
}

/** Opens a draft; null for one that is no longer parked. Fails with `not_found`. */
export async function openDraft(source: DraftSource): Promise<Outcome<OpenedDraft | null>> {
  switch (source.from) {
    case "parked": {
      const draft = await findParkedDraft(source.viewerId, source.id);
      return succeed(draft && { draft, notices: [] });
    }
    case "template": {
      const template = await loadTeamTemplate(source.id);
      return template.ok ? succeed({ ...template.value, notices: [] }) : template;
    }
    case "list":
      return openListTemplate(source.id);
    case "response":
    case "piece": {
      const again = source.from === "piece";
      const stored = await loadStoredCall(source.id);
      const isGone = !stored.ok && stored.failure.code === "not_found";
      const found = again && isGone ? await loadFrozenCall(source.id, stored) : stored;
      if (!found.ok) return found;
      const { draft, sentAs } = openStoredCall(found.value);
      const notices = [formatReopened(found.value, draft.draft, sentAs, again)];
      const risk = await loadRepeatRisk(source.id);
      return succeed({ draft, notices: risk ? [{ tone: "warn", text: risk }, ...notices] : notices });
    }
  }
}

/** Opens a stored call as a draft. `sentAs` has the facts of the request that a draft cannot hold. */
function openStoredCall({ call, presetId, userId }: StoredCall) {
  const { preset, documented, draft, ...sentAs } = reopenUnderPreset(call, presetId);
  return { draft: { presetId: preset.id, documented, baseLabel: call.base, userId, draft }, sentAs };
}

/** Names the source of a reopened draft and its differences from the request that was sent. */
function formatReopened(
  { call: { base }, sentAt }: StoredCall,
  { body }: Draft,
  { missing, unfit, wasLive }: ReturnType<typeof openStoredCall>["sentAs"],
  again: boolean,
): OpeningNotice {
  const choose = body === null ? "Choose it again." : "Put its base64 where the Body tab says so.";
  const lostBase = base !== "" && !env().baseUrls.some(({ label }) => label === base);
  const they = unfit.length === 1 ? "it" : "they";
  const notes = [
    ...(wasLive ? [formatWasLive(wasLive)] : []),
    ...missing.map(
      ({ place, bytes }) => `The file in ${place} (${formatBytes(bytes)}) was not kept. ${choose}`,
    ),
    ...(unfit.length > 0
      ? [
          `The form has no field for ${unfit.join(", ")}. See the Body or Query Params tab; ${they} will be sent.`,
        ]
      : []),
    ...(lostBase ? [`The base URL ${base} is no longer configured. Choose another one.`] : []),
  ];
  const changed = notes.length > 0;
  return {
    tone: changed ? "warn" : "info",
    title: again ? "New request." : changed ? "Opened with changes." : "Opened as it was sent.",
    text: `Copy of the request sent on ${sentAt}. Sending it makes a new request.`,
    notes,
  };
}

async function openListTemplate(listId: string): Promise<Outcome<OpenedDraft>> {
  const list = await loadList(listId);
  if (!list.ok) return list;
  const template = list.value.erasedAt ? null : await withDatabase((db) => loadListTemplate(db, listId));
  if (template && !template.ok) return template;
  if (!template?.value) return fail("not_found", ERASED);
  const { baseUrl, path, presetId, body } = template.value;
  const base = env().baseUrls.find(({ url }) => url === baseUrl)?.label ?? "";
  const call = { base, method: "POST" as const, path, query: {}, headers: {}, body };
  const stored = { call, presetId, userId: list.value.userId, sentAt: "" };
  const { draft, sentAs } = openStoredCall(stored);
  // A template names no recipient, so the form cannot build its body; but it holds all of its values.
  if (sentAs.unfit.length === 0) draft.draft.body = null;
  return succeed({ draft, notices: [] });
}

/** Placeholder that replaces a stored file after a day. */
const REDUCED = /^\[([\d,]+) characters of a file\]$/;
/** Headers that Mailroom adds to every call. */
const OWN_HEADERS = /^(?:accept|authorization|.*idempotency.*)$/i;

/**
 * Loads the frozen request of a live piece, which outlives its stored response. Fails as `stored` when there is no such
 * piece, and with `not_found` when its request was erased.
 */
async function loadFrozenCall(id: string, stored: Failed): Promise<Outcome<StoredCall>> {
  const loaded = await withDatabase(async (db) => {
    const send = await findSend(db, id);
    return send && { send, text: await loadRequestBody(db, id) };
  });
  if (!loaded.ok) return loaded;
  if (!loaded.value) return stored;
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
async function loadRepeatRisk(id: string): Promise<string | null> {
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
  return typeFormValues(call.body, findPresetCall(preset, documented).fields);
}
