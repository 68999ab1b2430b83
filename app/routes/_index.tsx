import { randomUUID } from "node:crypto";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { parseAddress } from "~/builder/address-check/address";
import { checkAddress } from "~/builder/address-check/check-address";
import { Builder } from "~/builder/builder";
import { type BuilderPost, parseBuilderPost } from "~/builder/builder-post.server";
import { loadBuilderView } from "~/builder/builder-view.server";
import type { DraftWithChoices } from "~/builder/draft";
import { hashDraftBody } from "~/builder/draft-form.server";
import { LOAD_FAILURES } from "~/builder/editor/messages";
import {
  alignFallbackRecipient,
  hasRecipients,
  type LoadedRecipients,
  parseRecipients,
  RECIPIENTS_CALL,
} from "~/builder/editor/recipients";
import { findParkedDraft, parkDraft } from "~/builder/parked-draft.server";
import { openStoredCall } from "~/builder/reopen/reopen.server";
import { type Answer, isRefused, parseAnswer } from "~/builder/response/answer";
import { TooLarge } from "~/builder/too-large";
import type { Posted } from "~/builder/view";
import { loadPaymentNotice, redirectFromPayment } from "~/credits/purchases/purchase-return.server";
import { findViewer, requirePageViewer, type Viewer } from "~/people/viewer.server";
import { readPageForm } from "~/platform/http/page-form.server";
import { serializePreferences } from "~/platform/http/preferences.server";
import { replyFailure, statusOf } from "~/platform/http/replies.server";
import { fail } from "~/platform/outcome";
import { waitForSaved } from "~/responses/save/wait-for-saved.server";
import { loadStoredCall } from "~/responses/stored-call.server";
import type { ProxyRequest } from "~/sending/proxy-types";
import { sendForm } from "~/sending/send-form.server";
import { sendRequest } from "~/sending/send-request.server";

const SIGNED_OUT =
  "You are not logged in any more. Nothing was sent and nothing was charged. Log in, then send again.";
const TABS = ["stored", "users", "mail"];
/** How long a page without JavaScript waits to tell whether its answer was stored. */
const SAVED_WAIT_MS = 500;

export const meta: MetaFunction = () => [{ title: "API Builder · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const tab = url.searchParams.get("tab");
  if (tab && TABS.includes(tab)) {
    url.searchParams.delete("tab");
    throw redirect(`/${tab}${url.search}`);
  }
  const viewer = await findViewer(request);
  const draftId = url.searchParams.get("draft");
  const parked = viewer && draftId ? await findParkedDraft(viewer.id, draftId) : null;
  const home = parked ? buildDraftAddress(draftId ?? "", parked) : "/";
  const left = draftId ? await redirectFromPayment(request, viewer, home) : null;
  if (left) throw left;
  if (parked && !url.searchParams.has("preset")) throw redirect(home);
  const stored = await openStored(request, url.searchParams);
  const payment = viewer && draftId ? await loadPaymentNotice(request, viewer) : null;
  const view = await loadBuilderView(request, viewer, parked ?? stored?.draft ?? null);
  return data(
    {
      ...view,
      payment: payment && { ...payment.flash, confirming: payment.confirming },
      reopenReport: stored?.report ?? null,
    },
    payment?.setCookie ? { headers: { "Set-Cookie": payment.setCookie } } : {},
  );
}

/** The stored response that the address names (`response`, `again=1`), at the address of its preset. */
async function openStored(request: Request, parameters: URLSearchParams) {
  const id = parameters.get("response");
  if (!id) return null;
  await requirePageViewer(request);
  const found = await loadStoredCall(id);
  if (!found.ok) return { draft: null, report: { problem: found.failure.message } };
  const opened = openStoredCall(found.value, parameters.get("again") === "1");
  if (parameters.has("preset")) return opened;
  const { presetId, documented } = opened.draft;
  const address = new URLSearchParams({ preset: presetId, ...(documented ? { call: "documented" } : {}) });
  for (const [name, value] of parameters) address.set(name, value);
  throw redirect(`/?${address}`);
}

/** A parked draft opens at the address of its preset. */
function buildDraftAddress(id: string, { presetId, documented }: DraftWithChoices): string {
  return `/?${new URLSearchParams({ preset: presetId, ...(documented ? { call: "documented" } : {}), draft: id })}`;
}

export async function action({ request }: ActionFunctionArgs) {
  const viewer = await findViewer(request);
  const form = await readPageForm(request);
  if (!form.ok && form.failure.code === "too_large") {
    return data({ tooLarge: form.failure.message }, statusOf(form.failure));
  }
  if (!form.ok) throw replyFailure(form.failure);
  const post = await parseBuilderPost(request, form.value);
  if (post.buying && viewer) return leaveForPayment(post, viewer);
  const [answer, recipients] = await Promise.all([
    post.proxyRequest ? send(post.proxyRequest, viewer) : null,
    post.loadingRecipients && viewer ? loadRecipients(post, viewer) : null,
  ]);
  const addressCheck = post.checkingAddress
    ? await checkAddress(parseAddress(post.draft.values), post, (call) => send(call, viewer))
    : post.addressCheck;
  const { attempted, mode, fileProblems, view } = post;
  const draft = recipients ? alignFallbackRecipient(post.draft, hasRecipients(recipients)) : post.draft;
  const draftKey = answer && isRefused(answer) ? randomUUID() : post.draftKey;
  const response = answer && answer.kind !== "stopped" ? answer.response : null;
  const responseId = response?.pending ? undefined : response?.response_id;
  const autoSaved = responseId !== undefined && (await waitForSaved(responseId, SAVED_WAIT_MS));
  const posted: Posted = {
    draft,
    draftKey,
    bodyHash: hashDraftBody(draft, post.template),
    attempted,
    answer,
    mode,
    fileProblems,
    view,
    recipients,
    autoSaved,
    addressCheck,
  };
  const chosen = { base: post.base.label, ...(post.userId ? { userId: post.userId } : {}) };
  return data(
    { ...posted, base: post.base, userId: post.userId },
    {
      headers: {
        "Set-Cookie": await serializePreferences(request, { ...chosen, appendJson: post.base.appendJson }),
      },
    },
  );
}

/** The recipients that a mail form offers, for a page without JavaScript. */
async function loadRecipients(post: BuilderPost, viewer: Viewer): Promise<LoadedRecipients> {
  if (post.userId === null) return { state: "failed", reason: LOAD_FAILURES.noUser };
  const asked = { ...RECIPIENTS_CALL, baseUrl: post.base.url, user_id: post.userId };
  const sent = await sendRequest(asked, viewer);
  return parseRecipients(sent.ok ? JSON.parse(sent.value.jsonText) : null);
}

/** The draft is parked on the server while its user buys credits. */
async function leaveForPayment(post: BuilderPost, viewer: Viewer): Promise<Response> {
  const { presetId, documented, draft, userId } = post;
  const parked = await parkDraft(viewer.id, {
    presetId,
    documented,
    draft,
    userId,
    baseLabel: post.base.label,
  });
  if (!parked.ok) throw replyFailure(parked.failure);
  const address = { view: "purchase", draft: parked.value, ...(userId ? { user_id: userId } : {}) };
  return redirect(`/users?${new URLSearchParams(address)}`);
}

/** Whatever comes of it is an answer beside the form, so that nothing typed is lost. */
async function send(proxyRequest: ProxyRequest, viewer: Viewer | null): Promise<Answer> {
  const sent = viewer ? await sendForm(proxyRequest, viewer) : fail("signed_out", SIGNED_OUT);
  return sent.ok
    ? parseAnswer(sent.value.httpStatus, sent.value.jsonText)
    : {
        kind: "failed",
        message: sent.failure.message,
        response: null,
        httpStatus: sent.failure.code === "database_unavailable" ? 503 : null,
      };
}

export default function BuilderTab() {
  const view = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  if (posted && "tooLarge" in posted) return <TooLarge message={posted.tooLarge} />;
  return posted ? (
    <Builder view={{ ...view, base: posted.base, userId: posted.userId ?? view.userId }} posted={posted} />
  ) : (
    <Builder view={view} posted={null} />
  );
}
