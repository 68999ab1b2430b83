import { randomUUID } from "node:crypto";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type Answer, isRefused, readAnswer } from "~/builder/answer";
import { Builder, type Posted } from "~/builder/builder";
import { type BuilderPost, readBuilderPost } from "~/builder/builder-post.server";
import { loadBuilderView } from "~/builder/builder-view.server";
import { findKeptDraft, type KeptDraft, keepDraft } from "~/builder/kept-draft.server";
import { leaveReturnAddress, readReturn } from "~/credits/purchase-return.server";
import { findViewer, type Viewer } from "~/people/viewer.server";
import { isSameOrigin } from "~/platform/origin.server";
import { fail } from "~/platform/outcome";
import { readPageForm } from "~/platform/page-form.server";
import { savePreferences } from "~/platform/preferences.server";
import { replyFailure } from "~/platform/replies.server";
import type { ProxyRequest } from "~/sending/envelope";
import { sendRequest } from "~/sending/send.server";

const SIGNED_OUT =
  "You are not logged in any more. Nothing was sent and nothing was charged. Log in, then send again.";
const TABS = ["stored", "users", "mail"];

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
  const kept = viewer && draftId ? await findKeptDraft(viewer.id, draftId) : null;
  const home = kept ? describeKeptAddress(draftId ?? "", kept) : "/";
  const left = draftId ? await leaveReturnAddress(request, viewer, home) : null;
  if (left) throw left;
  if (kept && !url.searchParams.has("preset")) throw redirect(home);
  const payment = viewer && draftId ? await readReturn(request, viewer) : null;
  const view = await loadBuilderView(request, viewer, kept);
  return data(
    { ...view, payment: payment && { ...payment.flash, confirming: payment.confirming } },
    payment?.setCookie ? { headers: { "Set-Cookie": payment.setCookie } } : {},
  );
}

/** A kept draft opens at the address of its preset. */
function describeKeptAddress(id: string, { presetId, documented }: KeptDraft): string {
  return `/?${new URLSearchParams({ preset: presetId, ...(documented ? { call: "documented" } : {}), draft: id })}`;
}

export async function action({ request }: ActionFunctionArgs) {
  if (!isSameOrigin(request)) {
    throw replyFailure({ code: "forbidden", message: "This came from another site. Nothing was sent." });
  }
  const viewer = await findViewer(request);
  const form = await readPageForm(request);
  if (!form.ok) throw replyFailure(form.failure);
  const post = await readBuilderPost(request, form.value);
  if (post.buying && viewer) return leaveForPayment(post, viewer);
  const answer = post.proxyRequest ? await send(post.proxyRequest, viewer) : null;
  const { draft, bodyMark, attempted } = post;
  const draftKey = answer && isRefused(answer) ? randomUUID() : post.draftKey;
  const posted: Posted = { draft, draftKey, bodyMark, attempted, answer };
  const chosen = { base: post.base.label, ...(post.userId ? { userId: post.userId } : {}) };
  return data(
    { ...posted, base: post.base, userId: post.userId },
    {
      headers: {
        "Set-Cookie": await savePreferences(request, { ...chosen, appendJson: post.base.appendJson }),
      },
    },
  );
}

/** The request waits on the server while credits are bought for it. */
async function leaveForPayment(post: BuilderPost, viewer: Viewer): Promise<Response> {
  const { presetId, documented, draft, userId } = post;
  const kept = await keepDraft(viewer.id, {
    presetId,
    documented,
    draft,
    userId,
    baseLabel: post.base.label,
  });
  if (!kept.ok) throw replyFailure(kept.failure);
  const address = { view: "purchase", draft: kept.value, ...(userId ? { user_id: userId } : {}) };
  return redirect(`/users?${new URLSearchParams(address)}`);
}

/** Whatever comes of it is an answer beside the form, so that nothing typed is lost. */
async function send(proxyRequest: ProxyRequest, viewer: Viewer | null): Promise<Answer> {
  const sent = viewer ? await sendRequest(proxyRequest, viewer) : fail("signed_out", SIGNED_OUT);
  return sent.ok
    ? readAnswer(sent.value.httpStatus, sent.value.jsonText)
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
  return posted ? (
    <Builder view={{ ...view, base: posted.base, userId: posted.userId ?? view.userId }} posted={posted} />
  ) : (
    <Builder view={view} posted={null} />
  );
}
