import { randomUUID } from "node:crypto";
import { CATEGORIES } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import { chooseUser, orderUserOptions } from "~/people/user-option";
import { listUserOptions } from "~/people/user-options.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import {
  type BaseUrlView,
  type CallTemplate,
  type Draft,
  type DraftWithChoices,
  openPreset,
  selectCall,
} from "../draft/draft";
import { hashDraftBody } from "../draft/draft-form.server";
import { applyMode } from "../draft/mode";
import { findChosenPreset, selectTemplate, toBaseUrlView } from "../draft/presets.server";
import { type CodeChoice, FIRST_CODE, listCodeParts, type ShownCode } from "../forms/code-choice";
import { drawFirstLetter } from "../forms/first-letter.server";
import { writeCode } from "../forms/write-code";
import type { BuilderView } from "./builder-view";
import { loadStart } from "./load-start.server";

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
  const draft = initialDraft ?? openPreset(template);
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

/** The request of a page as a program, as the page is first seen. */
export function showCode(
  { draft, template }: { draft: Draft; template: CallTemplate },
  base: BaseUrlView,
  choice: CodeChoice,
): ShownCode {
  return { choice, ...writeCode(listCodeParts(draft, template, base), env().appOrigin, choice) };
}
