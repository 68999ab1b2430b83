import { findPreset, PRESETS } from "~/catalogue/presets";
import { CUSTOM, type Preset } from "~/catalogue/types";
import { forcesJson } from "~/outside/mail-provider/call/address.server";
import type { BaseUrl } from "~/platform/env-variables.server";
import { type BaseUrlView, type CallTemplate, carriesBody } from "./draft";
import { matchPath, reopenCall, type SentCall } from "./reopen.server";

const FIRST_PRESET = "recipients.list";

const CUSTOM_PRESET: Preset = {
  ...CUSTOM,
  categoryId: "objects",
  description: "",
  method: "GET",
  path: "",
  reference: { status: "unlisted" },
};

/** Selects the call that a preset opens with, or its documented version. */
export function selectTemplate(preset: Preset, documented: boolean): CallTemplate {
  const call = "documented" in preset.reference ? preset.reference.documented : undefined;
  if (documented && call) {
    return {
      method: call.method,
      path: call.path,
      query: call.query ?? {},
      headers: carriesBody(call.method) ? { "content-type": "application/x-www-form-urlencoded" } : {},
      body: {},
      fields: call.formFields ?? preset.formFields ?? [],
    };
  }
  return {
    method: preset.method,
    path: preset.path,
    query: preset.query ?? {},
    headers: preset.headers ?? {},
    body: preset.body ?? {},
    fields: preset.formFields ?? [],
  };
}

/** Finds the preset that the address names (`preset`, `call=documented`); an `unknown` one opens the first. */
export function findChosenPreset(parameters: URLSearchParams) {
  const chosen = parameters.get("preset");
  const found = chosen === CUSTOM.id ? CUSTOM_PRESET : findPreset(chosen ?? "");
  const preset = found ?? findPreset(FIRST_PRESET);
  if (!preset) throw new Error(`The catalogue has no ${FIRST_PRESET}`);
  return {
    preset,
    documented: parameters.get("call") === "documented" && "documented" in preset.reference,
    unknown: found ? null : chosen,
  };
}

/** Adds to a base URL if it appends `.json` to paths. */
export function toBaseUrlView(base: BaseUrl): BaseUrlView {
  return { ...base, appendJson: forcesJson(base) };
}

/** Opens a call with the preset it was sent with, another one that fits, or as a custom request. */
export function reopenUnderPreset(call: SentCall, presetId: string) {
  const own = findPreset(presetId);
  for (const preset of own ? [own, ...PRESETS] : PRESETS) {
    for (const documented of [false, true]) {
      const template = selectTemplate(preset, documented);
      const fits = template.method === call.method && matchPath(template, call.path) !== null;
      if (fits) return { preset, documented, ...reopenCall(call, template) };
    }
  }
  const reopened = reopenCall(call, selectTemplate(CUSTOM_PRESET, false));
  return { preset: CUSTOM_PRESET, documented: false, ...reopened };
}
