import { loadList } from "~/bulk/list-record.server";
import { loadListTemplate } from "~/bulk/list-template.server";
import { ERASED } from "~/bulk/messages";
import { formatRepeatRisk, REQUEST_ERASED } from "~/pieces/page/messages";
import { isErasedRequest, loadRequestBody } from "~/pieces/send/request-body.server";
import { findSend } from "~/pieces/send/send-record.server";
import { dropSendTags } from "~/pieces/send-tag";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { loadStoredCall, type StoredCall } from "~/responses/search/find-response.server";
import { formatMoment } from "~/ui/moment";
import { nestFields, typeFormValues } from "./curl-body.server";
import type { DraftWithChoices, TeamTemplate } from "./draft";
import { findParkedDraft } from "./parked-draft.server";
import { findPresetCall, reopenUnderPreset, toBaseUrlView } from "./presets.server";
import { dropJson, findBase } from "./read-address";
import { loadTeamTemplate } from "./team-template.server";

/** The source from which the server opens a draft. Without one, the page opens its preset. */
export type DraftSource =
  /** The draft that this person left for a payment. */
  | { from: "parked"; id: string; viewerId: string }
  | { from: "response"; id: string }
  /** A piece that is to be sent again, also if its stored response was deleted. */
  | { from: "piece"; id: string }
  /** A draft that the team keeps under a name. */
  | { from: "template"; id: string }
  /** The template of a list, from which another list can be made. */
  | { from: "list"; id: string };

interface OpenedDraft {
  draft: DraftWithChoices;
  /** Null when there are no differences to report. */
  report: ReopenReport | null;
  /** The team's template that it is from. */
  teamTemplate?: TeamTemplate;
}

/** Opens a draft; null for one that is no longer parked. Fails with `not_found`. */
export async function openDraft(source: DraftSource): Promise<Outcome<OpenedDraft | null>> {
  switch (source.from) {
    case "parked": {
      const draft = await findParkedDraft(source.viewerId, source.id);
      return succeed(draft && { draft, report: null });
    }
    case "template": {
      const template = await loadTeamTemplate(source.id);
      return template.ok ? succeed({ ...template.value, report: null }) : template;
    }
    case "list":
      return openListTemplate(source.id);
    case "response":
    case "piece": {
      const again = source.from === "piece";
      const stored = await loadStoredCall(source.id);
      const isGone = !stored.ok && stored.failure.code === "not_found";
      const found = again && isGone ? await loadFrozenCall(source.id) : stored;
      if (!found.ok) return found;
      return succeed(openStoredCall(found.value, again, await loadRepeatRisk(source.id)));
    }
  }
}

/** Differences between a reopened response and the request that was sent. */
export type ReopenReport = ReturnType<typeof openStoredCall>["report"];

/** Opens a stored call as a draft and reports the differences. */
function openStoredCall(
  { call, presetId, userId, sentAt }: StoredCall,
  again: boolean,
  repeatRisk: string | null,
) {
  const { preset, documented, draft, missing, unfit, wasLive } = reopenUnderPreset(call, presetId);
  const lostBase = call.base !== "" && !env().baseUrls.some(({ label }) => label === call.base);
  return {
    draft: { presetId: preset.id, documented, baseLabel: call.base, userId, draft },
    report: {
      /** `21 Nov 2026, 13:05 UTC` */
      sentAt,
      /** It was opened to be sent again. */
      again,
      missing,
      /** The body is in the Body tab, because the preset's form cannot build it. */
      byHand: draft.body !== null,
      unfit,
      wasLive,
      /** The risk of sending it again, if it was or may have been mailed. */
      repeatRisk,
      /** The label of a base URL that is no longer configured. */
      lostBase: lostBase ? call.base : null,
    },
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
  const { draft, report } = openStoredCall(stored, false, null);
  // A template names no recipient, so the form cannot build its body; but it holds all of its values.
  if (report.unfit.length === 0) draft.draft.body = null;
  return succeed({ draft, report: null });
}

/** Placeholder that replaces a stored file after a day. */
const REDUCED = /^\[([\d,]+) characters of a file\]$/;
/** Headers that Mailroom adds to every call. */
const OWN_HEADERS = /^(?:accept|authorization|.*idempotency.*)$/i;

/**
 * Loads the frozen request of a live piece, which outlives its stored response. Fails with `not_found` when the piece does
 * not exist or its request was erased.
 */
async function loadFrozenCall(id: string): Promise<Outcome<StoredCall>> {
  const loaded = await withDatabase(async (db) => {
    const send = await findSend(db, id);
    return send && { send, text: await loadRequestBody(db, id) };
  });
  if (!loaded.ok) return loaded;
  if (!loaded.value) return fail("not_found", "There is no stored response or piece with this ID.");
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
