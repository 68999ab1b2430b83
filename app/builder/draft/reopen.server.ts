import { findPreset, PRESETS } from "~/catalogue/presets";
import type { Preset } from "~/catalogue/types";
import { env } from "~/platform/env.server";
import type { DraftWithChoices } from "./draft";
import { CUSTOM_PRESET, selectTemplate } from "./presets.server";
import { matchPath, type ReopenedCall, type ReopenReport, reopenCall, type SentCall } from "./reopen";

/** A preset, or its documented version. */
interface Choice {
  preset: Preset;
  documented: boolean;
}

/** A call from the stored responses. */
interface StoredCall {
  call: SentCall & { base: string };
  presetId: string;
  userId: string;
  sentAt: string;
}

/** The draft for a stored call, and how it differs from that call. `again`: it was opened to be sent again. */
export function openStoredCall(
  { call, presetId, userId, sentAt }: StoredCall,
  { again, repeatRisk }: Pick<ReopenReport, "again" | "repeatRisk">,
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

/** Opens a call with the preset it was sent with, another one that fits, or as a custom request. */
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
  return fitting ?? { preset: CUSTOM_PRESET, documented: false };
}

function listChoices(preset: Preset): Choice[] {
  const hasDocumented = "documented" in preset.reference && preset.reference.documented !== undefined;
  return [{ preset, documented: false }, ...(hasDocumented ? [{ preset, documented: true }] : [])];
}
