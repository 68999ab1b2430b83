import { randomUUID } from "node:crypto";
import { CATEGORIES } from "~/catalogue/categories";
import { CUSTOM } from "~/catalogue/custom";
import { findPreset, PRESETS } from "~/catalogue/presets";
import type { Preset } from "~/catalogue/types";
import { forcesJson } from "~/outside/mail-provider/call/address.server";
import { chooseUser, orderUserOptions } from "~/people/user-option";
import { listUserOptions } from "~/people/user-options.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import type { BaseUrl } from "~/platform/env-values.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import type { BuilderView, ShownCode } from "./builder-view";
import { type CodeChoice, FIRST_CODE, listCodeParts } from "./code/code-choice";
import { writeCode } from "./code/write-code";
import {
  type BaseUrlView,
  type CallTemplate,
  carriesBody,
  type Draft,
  type DraftWithChoices,
  openDraft,
  selectCall,
} from "./draft";
import { hashDraftBody } from "./draft-form.server";
import { drawFirstLetter } from "./editor/first-letter.server";
import { applyMode } from "./mode/mode";
import { loadStart } from "./start/load-start.server";

const FIRST_PRESET = "recipients.list";
/** A request of one's own: a preset that presets nothing. */
export const CUSTOM_PRESET: Preset = {
  ...CUSTOM,
  categoryId: "objects",
  description: "",
  method: "GET",
  path: "",
  reference: { status: "unlisted" },
};
const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Loads what the Builder tab shows for the preset in the address.
 * @param given a draft that was parked during a payment, or made from a stored response; null opens the preset's own
 */
export async function loadBuilderView(
  request: Request,
  viewer: Viewer | null,
  given: DraftWithChoices | null,
): Promise<BuilderView> {
  const { searchParams } = new URL(request.url);
  const preferences = await parsePreferences(request);
  const { preset, documented, unknown } = findChosenPreset(searchParams);
  const template = selectTemplate(preset, documented);
  const fitting = given?.presetId === preset.id && given.documented === documented ? given : null;
  // Every page opens in test mode.
  const initialDraft = fitting && applyMode(fitting.draft, template, false);
  const baseUrls = env().baseUrls.map(toBaseUrlView) as [BaseUrlView, ...BaseUrlView[]];
  const base =
    baseUrls.find((base) => base.label === (fitting?.baseLabel ?? preferences.base)) ?? baseUrls[0];
  const draft = initialDraft ?? openDraft(template);
  const call = selectCall(draft, template);
  const users = viewer ? await listUserOptions(viewer) : null;
  // If users cannot be loaded, the signed-in one can still send.
  const options = users?.ok ? users.value : orderUserOptions([], viewer);
  const userId = chooseUser(options, fitting?.userId ?? preferences.userId ?? null)?.id ?? null;
  return {
    categories: CATEGORIES.slice(),
    presets: PRESETS.map(({ id, label, method, path, categoryId }) => ({
      id,
      label,
      method,
      path,
      categoryId,
    })),
    preset: {
      id: preset.id,
      label: preset.label,
      path: preset.path,
      categoryId: preset.categoryId,
      description: preset.description,
      docsUrl: preset.docsUrl ?? null,
      exampleResponse: preset.exampleResponse ?? null,
      reference: preset.reference,
      documented,
    },
    unknownPreset: unknown,
    template,
    letter: await drawFirstLetter(draft, template, base, viewer, null),
    bodyHash: hashDraftBody(draft, call),
    draftKey: randomUUID(),
    baseUrls,
    base,
    users: options,
    usersFailure: users && !users.ok ? users.failure : null,
    userId,
    signedIn: viewer !== null,
    welcome: viewer && !preferences.welcomed ? `Welcome, ${viewer.displayName}.` : null,
    hasServerKey: env().providerKey !== null,
    code: showCode({ draft, template: call }, base, FIRST_CODE),
    initialDraft,
    start: userId && !searchParams.has("preset") ? await loadStart(userId) : null,
    search: { words: searchParams.get("q") ?? "", categoryId: searchParams.get("category") ?? "" },
  };
}

/** The call that a preset opens with, or its documented version. */
export function selectTemplate(preset: Preset, documented: boolean): CallTemplate {
  const call = "documented" in preset.reference ? preset.reference.documented : undefined;
  if (documented && call) {
    return {
      method: call.method,
      path: call.path,
      query: call.query ?? {},
      headers: carriesBody(call.method) ? { "content-type": FORM_TYPE } : {},
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

/** The preset that the address names (`preset`, `call=documented`); an `unknown` one opens the first. */
export function findChosenPreset(parameters: URLSearchParams): {
  preset: Preset;
  documented: boolean;
  unknown: string | null;
} {
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

/** A configured base URL, and whether it appends `.json` to paths. */
export function toBaseUrlView(base: BaseUrl): BaseUrlView {
  return { ...base, appendJson: forcesJson(base) };
}

/** The request of a page as a program, as the page is first seen. */
export function showCode(
  { draft, template }: { draft: Draft; template: CallTemplate },
  base: BaseUrlView,
  choice: CodeChoice,
): ShownCode {
  return { choice, ...writeCode(listCodeParts(draft, template, base), env().appOrigin, choice) };
}
