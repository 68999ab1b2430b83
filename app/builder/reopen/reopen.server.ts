import { findPreset, PRESETS } from "~/catalogue/presets";
import type { Preset } from "~/catalogue/types";
import { env } from "~/platform/env.server";
import { selectTemplate } from "../builder-view.server";
import type { DraftWithChoices } from "../parked-draft.server";
import { canHold, matchPath, type ReopenedCall, reopenCall, type SentCall } from "./reopen";
import type { ReopenReport } from "./reopen-report";

/** Holds any call by hand: it has no fields of its own. */
const BARE_PRESET = "account.balance";

/** A preset, or the documented call behind it. */
interface Choice {
  preset: Preset;
  documented: boolean;
}

/** A call as the stored responses have it. */
interface StoredCall {
  call: SentCall & { base: string };
  presetId: string;
  userId: string;
  sentAt: string;
}

/** The draft for a call that was stored, and what is to be said of it. `again` opens it to be run once more. */
export function openStoredCall(
  { call, presetId, userId, sentAt }: StoredCall,
  again: boolean,
): { kept: DraftWithChoices; reopenReport: ReopenReport } {
  const { preset, documented, draft, missing, unfit, wasLive } = reopenUnderPreset(call, presetId);
  const lostBase = call.base !== "" && !env().baseUrls.some(({ label }) => label === call.base);
  return {
    kept: { presetId: preset.id, documented, baseLabel: call.base, userId, draft },
    reopenReport: {
      sentAt,
      again,
      missing,
      byHand: draft.body !== null,
      unfit,
      wasLive,
      lostBase: lostBase ? call.base : null,
    },
  };
}

/** Opens a call under the preset it was made with; where that does not fit, under one that does. */
export function reopenUnderPreset(call: SentCall, presetId: string): ReopenedCall & Choice {
  const choice = choosePreset(call, presetId);
  return { ...choice, ...reopenCall(call, selectTemplate(choice.preset, choice.documented)) };
}

function choosePreset(call: SentCall, presetId: string): Choice {
  const own = findPreset(presetId);
  const candidates = [...(own ? [own] : []), ...PRESETS].flatMap(listChoices);
  const fitting = candidates.find((choice) => {
    const template = selectTemplate(choice.preset, choice.documented);
    return template.method === call.method && matchPath(template, call.path) !== null;
  });
  if (fitting) return fitting;
  if (own && canHold(selectTemplate(own, false), call)) return { preset: own, documented: false };
  const bare = findPreset(BARE_PRESET);
  if (!bare) throw new Error(`The catalogue has no ${BARE_PRESET}`);
  return { preset: bare, documented: false };
}

function listChoices(preset: Preset): Choice[] {
  const hasDocumented = "documented" in preset.reference && preset.reference.documented !== undefined;
  return [{ preset, documented: false }, ...(hasDocumented ? [{ preset, documented: true }] : [])];
}
