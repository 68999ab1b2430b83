import { loadDesign } from "~/bulk/design.server";
import { loadList } from "~/bulk/list-record.server";
import { ERASED } from "~/bulk/messages";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { loadStoredCall, type StoredCall } from "~/responses/stored-call.server";
import type { DraftWithChoices, KeptAs } from "./draft";
import { loadFrozenCall, loadRepeatRisk } from "./frozen-call.server";
import { findParkedDraft, loadTemplate } from "./parked-draft.server";
import { reopenUnderPreset } from "./presets.server";
import type { ReopenReport } from "./reopen.server";

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
  keptAs?: KeptAs;
}

/** Opens a draft; null for one that is no longer parked. Fails with `not_found`. */
export async function openDraft(source: DraftSource): Promise<Outcome<OpenedDraft | null>> {
  switch (source.from) {
    case "parked": {
      const draft = await findParkedDraft(source.viewerId, source.id);
      return succeed(draft && { draft, report: null });
    }
    case "template": {
      const template = await loadTemplate(source.id);
      return template.ok ? succeed({ ...template.value, report: null }) : template;
    }
    case "list":
      return openTemplate(source.id);
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

/** Opens a stored call as a draft and reports the differences. */
function openStoredCall(
  { call, presetId, userId, sentAt }: StoredCall,
  again: boolean,
  repeatRisk: string | null,
): { draft: DraftWithChoices; report: ReopenReport } {
  const { preset, documented, draft, missing, unfit, wasLive } = reopenUnderPreset(call, presetId);
  const lostBase = call.base !== "" && !env().baseUrls.some(({ label }) => label === call.base);
  return {
    draft: { presetId: preset.id, documented, baseLabel: call.base, userId, draft },
    report: {
      sentAt,
      again,
      missing,
      byHand: draft.body !== null,
      unfit,
      wasLive,
      repeatRisk,
      lostBase: lostBase ? call.base : null,
    },
  };
}

async function openTemplate(listId: string): Promise<Outcome<OpenedDraft>> {
  const list = await loadList(listId);
  if (!list.ok) return list;
  const design = list.value.erasedAt ? null : await withDatabase((db) => loadDesign(db, listId));
  if (design && !design.ok) return design;
  if (!design?.value) return fail("not_found", ERASED);
  const { baseUrl, path, presetId, body } = design.value;
  const base = env().baseUrls.find(({ url }) => url === baseUrl)?.label ?? "";
  const call = { base, method: "POST" as const, path, query: {}, headers: {}, body };
  const stored = { call, presetId, userId: list.value.userId, sentAt: "" };
  const { draft, report } = openStoredCall(stored, false, null);
  // A template names no recipient, so the form cannot build its body; but it holds all of its values.
  if (report.unfit.length === 0) draft.draft.body = null;
  return succeed({ draft, report: null });
}
