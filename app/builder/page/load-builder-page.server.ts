import { randomUUID } from "node:crypto";
import { redirect } from "@remix-run/node";
import { CATEGORIES } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import type { PresetCall } from "~/catalogue/types";
import { loadPaymentNotice, redirectFromPayment } from "~/credits/purchases/checkout-return.server";
import { findHome } from "~/outside/mail-provider/account-home";
import { listUserOptions } from "~/people/stored-user.server";
import { chooseUser, orderUserOptions } from "~/people/user-option";
import { mayActFor, requirePageViewer, type Viewer } from "~/people/viewer.server";
import { findTestedOffer } from "~/pieces/tested/tested-piece.server";
import { env } from "~/platform/env.server";
import { listChunkUrls } from "~/platform/http/build-files.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import { fail } from "~/platform/outcome";
import { findLetterText } from "~/print/layout/layout";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { findPageSize } from "~/print/letter/page";
import type { FirstLetter } from "~/print/preview/ask-server";
import { serializeStoredResponse } from "~/responses/response-row.server";
import { findResponseRow } from "~/responses/search/find-response.server";
import {
  type BaseUrlView,
  type Draft,
  type DraftWithChoices,
  findDraftCall,
  findMailKind,
  type OpeningNotice,
  openPreset,
} from "../draft/draft";
import { hashDraftBody } from "../draft/draft-form.server";
import { CANNOT_REOPEN } from "../draft/messages";
import { applyMode, findSendScope } from "../draft/mode";
import { type DraftSource, openDraft } from "../draft/open-draft.server";
import { findChosenPreset, findPresetCall, toBaseUrlView } from "../draft/presets.server";
import type { ListedRecipient } from "../draft/recipients";
import { FIRST_CODE } from "../forms/code/code-panel";
import type { BuilderCall } from "../forms/code/code-request";
import { type CodeChoice, writeCode } from "../forms/code/write-code";
import { buildState } from "../forms/mail-preview";
import { parseEarlierAnswer } from "../history/earlier-answer";
import type { Answer } from "../send/answer";
import { needsEditor } from "./lazy-chunks";
import { loadStart } from "./load-start.server";

/** The modules that `lazy-chunks.tsx` loads, by the names that the build gives them. */
const EDITOR_MODULES = ["app/builder/page/editor-chunk.ts"];
const ANSWER_MODULES = ["app/builder/page/answer-chunk.ts"];

export type BuilderView = Awaited<ReturnType<typeof loadBuilderPage>>["page"];

/**
 * Loads the Builder tab for its address: with the draft that was parked during a payment (`draft`), with the request of
 * a stored response (`response`; with `again=1` also of a piece whose response was deleted), with a template of the team (`template`) or of a list (`list`), or with the preset as it opens.
 * @throws Response a redirect to the address of the preset that the draft belongs to, or to the login
 */
export async function loadBuilderPage(request: Request, viewer: Viewer | null) {
  const { searchParams } = new URL(request.url);
  const source = parseSource(searchParams, viewer);
  const isReturn = viewer !== null && source?.from === "parked";
  if (source && !isReturn) await requirePageViewer(request);
  const result = source && (await openDraft(source));
  const opened = result?.ok ? result.value : null;
  const home = opened ? buildAddress(opened.draft, isReturn ? { draft: source.id } : searchParams) : "/";
  const redirectResponse = searchParams.has("draft")
    ? await redirectFromPayment(request, viewer, home)
    : null;
  if (redirectResponse) throw redirectResponse;
  if (opened && !searchParams.has("preset")) throw redirect(home);
  const payment = isReturn ? await loadPaymentNotice(request, viewer) : null;
  const view = await loadView(request, viewer, opened?.draft ?? null);
  const answerOf = opened && source?.from === "response" ? source.id : null;
  const testedPieceId = opened?.draft.testedPieceId;
  const notices: OpeningNotice[] =
    result?.ok === false
      ? [{ tone: "bad", title: CANNOT_REOPEN, text: result.failure.message }]
      : (opened?.notices ?? []);
  return {
    page: {
      ...view,
      /** Addresses of the scripts that the form needs, which the page would otherwise find late. */
      preload: listScripts(view),
      /** The tested piece that goes with the draft that was parked during a payment. */
      tested: viewer && testedPieceId ? await findTestedOffer(testedPieceId, viewer.id) : null,
      payment: payment && { ...payment.flash, confirming: payment.confirming },
      notices,
      teamTemplate: opened?.teamTemplate ?? null,
      /** The source of the draft; null for the preset. */
      draftFrom: opened ? (source?.from ?? null) : null,
      /** The stored response whose answer is shown with its request. */
      answerOf,
      /** That answer; null for a large file. */
      answer: answerOf === null ? null : await loadAnswer(answerOf),
    },
    setCookie: payment?.setCookie ?? null,
  };
}

/** A larger file does not fit into the page. */
const INLINE_BYTES = 300_000;

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

/** Loads what the Builder tab shows for the preset in the address, with the draft of `source` or the preset's own. */
async function loadView(request: Request, viewer: Viewer | null, source: DraftWithChoices | null) {
  const { searchParams } = new URL(request.url);
  const preferences = await parsePreferences(request);
  const { preset, documented, unknown } = findChosenPreset(searchParams);
  const { id, label, path, categoryId, description, reference } = preset;
  const presetCall = findPresetCall(preset, documented);
  const fitting = source?.presetId === preset.id && source.documented === documented ? source : null;
  // Every page opens in test mode.
  const initialDraft = fitting && applyMode(fitting.draft, presetCall, false);
  const baseUrls = env().baseUrls.map(toBaseUrlView) as [BaseUrlView, ...BaseUrlView[]];
  const base =
    baseUrls.find((base) => base.label === (fitting?.baseLabel ?? preferences.base)) ?? baseUrls[0];
  const draft = initialDraft ?? openPreset(presetCall);
  const call = findDraftCall(draft, presetCall);
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
      /** The scope that Load & Send needs. */
      scope: findSendScope({ method, path, values: {} }),
    })),
    /** The chosen preset without its call, which is `presetCall`. */
    preset: {
      id,
      label,
      path,
      categoryId,
      description,
      reference,
      docsUrl: preset.docsUrl ?? null,
      exampleResponse: preset.exampleResponse ?? null,
      /** True when the documented version is open instead of the preset's own. */
      documented,
    },
    /** The preset that the address names and that does not exist; null otherwise. */
    unknownPreset: unknown,
    presetCall,
    letter: await drawFirstLetter(draft, presetCall, base, viewer, []),
    /** The hash of the body that the form builds first. */
    bodyHash: hashDraftBody(draft, call),
    /** The draft's idempotency key: a request that is sent twice with it is done once. */
    draftKey: randomUUID(),
    baseUrls,
    base,
    providerCurrency: env().providerCurrency,
    users: options,
    usersFailure: users && !users.ok ? users.failure : null,
    userId,
    signedIn: viewer !== null,
    entry: findEntry(searchParams),
    /** Null for a person who closed it, or is not signed in. */
    welcome: viewer && !preferences.welcomed ? `Welcome, ${viewer.displayName}.` : null,
    hasServerKey: env().providerKey !== null,
    /** The request as a program, for pages without JavaScript. */
    code: showCode({ draft, call, base }, FIRST_CODE),
    /** A parked or reopened draft, opened instead of the preset's own; else null. */
    initialDraft,
    /** Set on the first screen only, when the database answers. */
    start: userId && !searchParams.has("preset") ? await loadStart(userId) : null,
    search: { words: searchParams.get("q") ?? "", categoryId: searchParams.get("category") ?? "" },
  };
}

/** Finds the way into the page: `first` without a choice, `start` from the first screen, `request` with a preset or request. */
function findEntry(parameters: URLSearchParams): "first" | "start" | "request" {
  if (!parameters.has("preset")) return "first";
  return parameters.get("from") === "start" ? "start" : "request";
}

/** Lists the scripts of what this page shows beside the first screen of a person signed in. */
function listScripts({ presetCall, start, signedIn }: Awaited<ReturnType<typeof loadView>>): string[] {
  const modules = [
    ...(needsEditor(presetCall) ? EDITOR_MODULES : []),
    ...(signedIn && start !== null ? [] : ANSWER_MODULES),
  ];
  return [...new Set(modules.flatMap(listChunkUrls))];
}

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
export function showCode(source: BuilderCall, choice: CodeChoice) {
  return { choice, ...writeCode(source, env().appOrigin, choice) };
}

/**
 * Draws a draft's letter for the page's first HTML; null when it is not made from text. It is laid out for a viewer only,
 * because a long one takes seconds.
 */
export async function drawFirstLetter(
  draft: Draft,
  call: PresetCall,
  base: { label: string },
  viewer: Viewer | null,
  listed: readonly ListedRecipient[],
): Promise<FirstLetter | null> {
  if (findMailKind(call) !== "letter") return null;
  const home = findHome(base);
  const text = findLetterText(buildState("letter", draft, listed, home));
  if (text === null) return null;
  const request = { text, page_size: findPageSize(home) };
  if (!viewer) return { request, drawn: fail("signed_out", "Log in to see the text on the letter's pages.") };
  return text.trim() === "" ? null : { request, drawn: await drawLetter(text, request.page_size) };
}
