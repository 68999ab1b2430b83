import { redirect } from "@remix-run/node";
import { loadPaymentNotice, redirectFromPayment } from "~/credits/purchases/purchase-return.server";
import { requirePageViewer, type Viewer } from "~/people/viewer.server";
import { findTestedOffer } from "~/pieces/tested/tested-offer.server";
import { listChunkUrls } from "~/platform/http/serving/chunks.server";
import type { DraftWithChoices } from "../draft/draft";
import { type DraftSource, openDraft } from "../draft/open-draft.server";
import type { BuilderView } from "./builder-view";
import { loadBuilderView } from "./builder-view.server";
import { needsEditor } from "./lazy-editor";

/** As the build names what `lazy-editor.tsx` and `lazy-answer.tsx` load. */
const EDITOR_MODULES = ["app/builder/page/editor-parts.ts", "app/builder/forms/file-field.tsx"];
const ANSWER_MODULES = ["app/builder/page/answer-parts.ts"];

/**
 * Loads the Builder tab for its address: with the draft that was parked during a payment (`draft`), with the request of
 * a stored response (`response`; with `again=1` also of a piece whose response was deleted), with the template of a list (`list`), or with the preset as it opens.
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
  const left = searchParams.has("draft") ? await redirectFromPayment(request, viewer, home) : null;
  if (left) throw left;
  if (opened && !searchParams.has("preset")) throw redirect(home);
  const payment = isReturn ? await loadPaymentNotice(request, viewer) : null;
  const view = await loadBuilderView(request, viewer, opened?.draft ?? null);
  const testedPieceId = opened?.draft.testedPieceId;
  return {
    page: {
      ...view,
      preload: listScripts(view),
      tested: viewer && testedPieceId ? await findTestedOffer(testedPieceId, viewer.id) : null,
      payment: payment && { ...payment.flash, confirming: payment.confirming },
      reopenReport: result?.ok === false ? { problem: result.failure.message } : (opened?.report ?? null),
      answerOf: opened && source?.from === "response" ? source.id : null,
    },
    setCookie: payment?.setCookie ?? null,
  };
}

/** What the address opens; null for the preset. */
function parseSource(parameters: URLSearchParams, viewer: Viewer | null): DraftSource | null {
  const [draft, list, response] = ["draft", "list", "response"].map((name) => parameters.get(name));
  if (draft && viewer) return { from: "parked", id: draft, viewerId: viewer.id };
  if (list) return { from: "list", id: list };
  if (response) return { from: parameters.get("again") === "1" ? "piece" : "response", id: response };
  return null;
}

/** The scripts of what this page shows beside the first screen of a person signed in. */
function listScripts({ template, start, signedIn }: BuilderView): string[] {
  const modules = [
    ...(needsEditor(template) ? EDITOR_MODULES : []),
    ...(signedIn && start !== null ? [] : ANSWER_MODULES),
  ];
  return [...new Set(modules.flatMap(listChunkUrls))];
}

/** The address of a draft with its preset. */
function buildAddress(
  { presetId, documented }: DraftWithChoices,
  parameters: URLSearchParams | { draft: string },
): string {
  const address = new URLSearchParams(parameters);
  address.set("preset", presetId);
  if (documented) address.set("call", "documented");
  return `/?${address}`;
}
