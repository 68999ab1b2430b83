import { randomUUID } from "node:crypto";
import { redirect } from "@remix-run/node";
import { CATEGORIES } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import { loadPaymentNotice, redirectFromPayment } from "~/credits/purchases/checkout-return.server";
import { listUserOptions } from "~/people/stored-user.server";
import { chooseUser, orderUserOptions } from "~/people/user-option";
import { mayActFor, requirePageViewer, type Viewer } from "~/people/viewer.server";
import { findTestedOffer } from "~/pieces/tested/tested-offer.server";
import { env } from "~/platform/env.server";
import { listChunkUrls } from "~/platform/http/build-files.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import { serializeStoredResponse } from "~/responses/response-row.server";
import { findResponseRow } from "~/responses/search/list-responses.server";
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
import { type DraftSource, openDraft } from "../draft/open-draft.server";
import { findChosenPreset, selectTemplate, toBaseUrlView } from "../draft/presets.server";
import { type CodeChoice, FIRST_CODE, listCodeParts, type ShownCode } from "../forms/code/code-choice";
import { writeCode } from "../forms/code/write-code";
import { drawFirstLetter } from "../forms/first-letter.server";
import { parseEarlierAnswer } from "../history/earlier-answer";
import type { Answer } from "../send/answer";
import type { BuilderView } from "./builder-view";
import { needsEditor } from "./lazy-parts";
import { loadStart } from "./load-start.server";

/** The modules that `lazy-parts.tsx` loads, by the names that the build gives them. */
const EDITOR_MODULES = ["app/builder/page/editor-parts.ts", "app/builder/forms/file-field.tsx"];
const ANSWER_MODULES = ["app/builder/page/answer-parts.ts"];

/**
 * Loads the Builder tab for its address: with the draft that was parked during a payment (`draft`), with the request of
 * a stored response (`response`; with `again=1` also of a piece whose response was deleted), with a template of the team (`template`) or of a list (`list`), or with the preset as it opens.
 * @throws Response a redirect to the address of the preset that the draft belongs to, or to the login
 */
export async function loadBuilderPage(
  request: Request,
  viewer: Viewer | null,
): Promise<{ page: BuilderView; setCookie: string | null }> {
  const { searchParams } = new URL(request.url);
  const source = parseSource(searchParams, viewer);
  const isReturn = viewer !== null && source?.from === "parked";
  if (source && !isReturn) await requirePageViewer(request);
  const result = source && (await openDraft(source));
  const opened = result?.ok ? result.value : null;
  const home = opened ? buildAddress(opened.draft, isReturn ? { draft: source.id } : searchParams) : "/";
  const left = searchParams.has("draft") ? await redirectFromPayment(request, viewer, home) : null;
  if (left) throw left;
  if (opened && !searchParams.has("preset")) throw redirect(home);
  const payment = isReturn ? await loadPaymentNotice(request, viewer) : null;
  const view = await loadView(request, viewer, opened?.draft ?? null);
  const answerOf = opened && source?.from === "response" ? source.id : null;
  const testedPieceId = opened?.draft.testedPieceId;
  return {
    page: {
      ...view,
      preload: listScripts(view),
      tested: viewer && testedPieceId ? await findTestedOffer(testedPieceId, viewer.id) : null,
      payment: payment && { ...payment.flash, confirming: payment.confirming },
      reopenReport: result?.ok === false ? { problem: result.failure.message } : (opened?.report ?? null),
      keptAs: opened?.keptAs ?? null,
      answerOf,
      answer: answerOf === null ? null : await loadAnswer(answerOf),
    },
    setCookie: payment?.setCookie ?? null,
  };
}

/** A larger file does not fit into the page. */
const INLINE_BYTES = 300_000;

/** Loads a stored answer into the page; null for a large file, which the browser fetches. */
async function loadAnswer(id: string): Promise<Answer | null> {
  const found = await findResponseRow(id);
  if (!found.ok || found.value === null) return null;
  if ((found.value.response_bytes?.length ?? 0) > INLINE_BYTES) return null;
  return parseEarlierAnswer(serializeStoredResponse(found.value));
}

/** Parses the source that the address names; null for the preset. */
function parseSource(parameters: URLSearchParams, viewer: Viewer | null): DraftSource | null {
  const [draft, list, response, template] = ["draft", "list", "response", "template"].map((name) =>
    parameters.get(name),
  );
  if (draft && viewer) return { from: "parked", id: draft, viewerId: viewer.id };
  if (template) return { from: "template", id: template };
  if (list) return { from: "list", id: list };
  if (response) return { from: parameters.get("again") === "1" ? "piece" : "response", id: response };
  return null;
}

/** The view without what its source adds. */
type OpenView = Omit<
  BuilderView,
  "preload" | "tested" | "payment" | "reopenReport" | "keptAs" | "answerOf" | "answer"
>;

/**
 * Loads what the Builder tab shows for the preset in the address.
 * @param source a draft that was parked during a payment, or made from a stored response; null opens the preset's own
 */
async function loadView(
  request: Request,
  viewer: Viewer | null,
  source: DraftWithChoices | null,
): Promise<OpenView> {
  const { searchParams } = new URL(request.url);
  const preferences = await parsePreferences(request);
  const { preset, documented, unknown } = findChosenPreset(searchParams);
  const template = selectTemplate(preset, documented);
  const fitting = source?.presetId === preset.id && source.documented === documented ? source : null;
  // Every page opens in test mode.
  const initialDraft = fitting && applyMode(fitting.draft, template, false);
  const baseUrls = env().baseUrls.map(toBaseUrlView) as [BaseUrlView, ...BaseUrlView[]];
  const base =
    baseUrls.find((base) => base.label === (fitting?.baseLabel ?? preferences.base)) ?? baseUrls[0];
  const draft = initialDraft ?? openPreset(template);
  const call = selectCall(draft, template);
  const users = viewer ? await listUserOptions(viewer) : null;
  // If users cannot be loaded, the signed-in one can still send.
  const listed = users?.ok ? users.value : orderUserOptions([], viewer);
  const options = listed.filter(({ id }) => viewer === null || mayActFor(viewer, id));
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
    letter: await drawFirstLetter(draft, template, base, viewer, []),
    bodyHash: hashDraftBody(draft, call),
    draftKey: randomUUID(),
    baseUrls,
    base,
    users: options,
    usersFailure: users && !users.ok ? users.failure : null,
    userId,
    signedIn: viewer !== null,
    entry: !searchParams.has("preset") ? "first" : searchParams.get("from") === "start" ? "start" : "request",
    welcome: viewer && !preferences.welcomed ? `Welcome, ${viewer.displayName}.` : null,
    hasServerKey: env().providerKey !== null,
    code: showCode({ draft, template: call }, base, FIRST_CODE),
    initialDraft,
    start: userId && !searchParams.has("preset") ? await loadStart(userId) : null,
    search: { words: searchParams.get("q") ?? "", categoryId: searchParams.get("category") ?? "" },
  };
}

/** Lists the scripts of what this page shows beside the first screen of a person signed in. */
function listScripts({ template, start, signedIn }: OpenView): string[] {
  const modules = [
    ...(needsEditor(template) ? EDITOR_MODULES : []),
    ...(signedIn && start !== null ? [] : ANSWER_MODULES),
  ];
  return [...new Set(modules.flatMap(listChunkUrls))];
}

/** Builds the address of a draft with its preset. */
function buildAddress(
  { presetId, documented }: DraftWithChoices,
  parameters: URLSearchParams | { draft: string },
): string {
  const address = new URLSearchParams(parameters);
  address.set("preset", presetId);
  if (documented) address.set("call", "documented");
  return `/?${address}`;
}

/** Writes the request of a page as a program, for the page's first HTML. */
export function showCode(
  { draft, template }: { draft: Draft; template: CallTemplate },
  base: BaseUrlView,
  choice: CodeChoice,
): ShownCode {
  return { choice, ...writeCode(listCodeParts(draft, template, base), env().appOrigin, choice) };
}
