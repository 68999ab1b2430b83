import { findPreset, PRESETS } from "~/catalogue/presets";
import { CUSTOM, type Preset, type PresetCall } from "~/catalogue/types";
import { forcesJson } from "~/outside/mail-provider/call/address.server";
import type { BaseUrl } from "~/platform/env-variables.server";
import { type BaseUrlView, CUSTOM_CALL } from "./draft";
import { matchPath, reopenCall, type SentCall } from "./reopen.server";

const FIRST_PRESET = "recipients.list";

const CUSTOM_PRESET: Preset = {
  ...CUSTOM,
  ...CUSTOM_CALL,
  categoryId: "objects",
  description: "",
  reference: { status: "unlisted" },
};

/** Finds the call that a preset opens with, or its documented version. */
export function findPresetCall(preset: Preset, documented: boolean): PresetCall {
  const { method, path, query, headers, body, fields } =
    (documented && preset.reference.documented) || preset;
  return { method, path, query, headers, body, fields };
}

/** Finds the preset that the address names (`preset`, `call=documented`); an `unknown` one opens the first. */
export function findChosenPreset(parameters: URLSearchParams) {
  const chosen = parameters.get("preset");
  const found = chosen === CUSTOM.id ? CUSTOM_PRESET : findPreset(chosen ?? "");
  const preset = found ?? findPreset(FIRST_PRESET);
  if (!preset) throw new Error(`The catalogue has no ${FIRST_PRESET}`);
  return {
    preset,
    documented: parameters.get("call") === "documented" && preset.reference.documented !== undefined,
    unknown: found ? null : chosen,
  };
}

export function toBaseUrlView(base: BaseUrl): BaseUrlView {
  return { ...base, appendJson: forcesJson(base) };
}

/** Opens a call with the preset it was sent with, another one that fits, or as a custom request. */
export function reopenUnderPreset(sent: SentCall, presetId: string) {
  const own = findPreset(presetId);
  for (const preset of own ? [own, ...PRESETS] : PRESETS) {
    for (const documented of [false, true]) {
      const call = findPresetCall(preset, documented);
      const fits = call.method === sent.method && matchPath(call, sent.path) !== null;
      if (fits) return { preset, documented, ...reopenCall(sent, call) };
    }
  }
  const reopened = reopenCall(sent, findPresetCall(CUSTOM_PRESET, false));
  return { preset: CUSTOM_PRESET, documented: false, ...reopened };
}
