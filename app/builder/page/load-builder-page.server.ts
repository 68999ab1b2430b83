import { redirect } from "@remix-run/node";
import { loadDesign } from "~/bulk/design.server";
import { loadList } from "~/bulk/list-record.server";
import { ERASED } from "~/bulk/messages";
import { loadPaymentNotice, redirectFromPayment } from "~/credits/purchases/purchase-return.server";
import { requirePageViewer, type Viewer } from "~/people/viewer.server";
import { findTestedOffer } from "~/pieces/tested/tested-offer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { listChunkUrls } from "~/platform/http/serving/chunks.server";
import { loadStoredCall } from "~/responses/stored-call.server";
import type { DraftWithChoices } from "../draft/draft";
import { loadFrozenCall, loadRepeatRisk } from "../draft/frozen-call.server";
import { findParkedDraft } from "../draft/parked-draft.server";
import { openStoredCall } from "../draft/reopen.server";
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
  const draftId = searchParams.get("draft");
  const parked = viewer && draftId ? await findParkedDraft(viewer.id, draftId) : null;
  const home = parked ? buildAddress(parked, { draft: draftId ?? "" }) : "/";
  const left = draftId ? await redirectFromPayment(request, viewer, home) : null;
  if (left) throw left;
  if (parked && !searchParams.has("preset")) throw redirect(home);
  const stored = await openStored(request, searchParams);
  const payment = viewer && draftId ? await loadPaymentNotice(request, viewer) : null;
  const view = await loadBuilderView(request, viewer, parked ?? stored?.draft ?? null);
  const tested =
    viewer && parked?.testedPieceId ? await findTestedOffer(parked.testedPieceId, viewer.id) : null;
  return {
    page: {
      ...view,
      preload: listScripts(view),
      tested,
      payment: payment && { ...payment.flash, confirming: payment.confirming },
      reopenReport: stored?.report ?? null,
      answerOf: stored?.draft && !searchParams.has("again") ? searchParams.get("response") : null,
    },
    setCookie: payment?.setCookie ?? null,
  };
}

/** The scripts of what this page shows beside the first screen of a person signed in. */
function listScripts({ template, start, signedIn }: BuilderView): string[] {
  const modules = [
    ...(needsEditor(template) ? EDITOR_MODULES : []),
    ...(signedIn && start !== null ? [] : ANSWER_MODULES),
  ];
  return [...new Set(modules.flatMap(listChunkUrls))];
}

async function openStored(request: Request, parameters: URLSearchParams) {
  const listId = parameters.get("list");
  if (listId) return openTemplate(request, parameters, listId);
  const id = parameters.get("response");
  if (!id) return null;
  await requirePageViewer(request);
  const again = parameters.get("again") === "1";
  const stored = await loadStoredCall(id);
  // A piece can be sent again, though its stored response was deleted.
  const isGone = !stored.ok && stored.failure.code === "not_found";
  const found = again && isGone ? await loadFrozenCall(id) : stored;
  if (!found.ok) return { draft: null, report: { problem: found.failure.message } };
  const opened = openStoredCall(found.value, { again, repeatRisk: await loadRepeatRisk(id) });
  if (parameters.has("preset")) return opened;
  throw redirect(buildAddress(opened.draft, Object.fromEntries(parameters)));
}

/** Opens the template of a list as a draft, from which another list can be made. */
async function openTemplate(request: Request, parameters: URLSearchParams, listId: string) {
  await requirePageViewer(request);
  const list = await loadList(listId);
  if (!list.ok) return { draft: null, report: { problem: list.failure.message } };
  const design = list.value.erasedAt ? null : await withDatabase((db) => loadDesign(db, listId));
  if (!design?.ok || !design.value)
    return { draft: null, report: { problem: design?.ok === false ? design.failure.message : ERASED } };
  const { baseUrl, path, presetId, body } = design.value;
  const base = env().baseUrls.find(({ url }) => url === baseUrl)?.label ?? "";
  const call = { base, method: "POST" as const, path, query: {}, headers: {}, body };
  const stored = { call, presetId, userId: list.value.userId, sentAt: "" };
  const { draft, report } = openStoredCall(stored, { again: false, repeatRisk: null });
  // A template names no recipient, so the form cannot build its body; but it holds all of its values.
  if (report.unfit.length === 0) draft.draft.body = null;
  if (parameters.has("preset")) return { draft, report: null };
  throw redirect(buildAddress(draft, { list: listId }));
}

function buildAddress(
  { presetId, documented }: DraftWithChoices,
  parameters: Record<string, string>,
): string {
  const chosen = { preset: presetId, ...(documented ? { call: "documented" } : {}) };
  return `/?${new URLSearchParams({ ...chosen, ...parameters })}`;
}
