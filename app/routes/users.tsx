import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { doCreditsPost } from "~/credits/credits-post.server";
import { CreditsTab } from "~/credits/credits-tab";
import { loadCreditsView } from "~/credits/credits-view.server";
import { loadPaymentNotice, redirectFromPayment } from "~/credits/purchases/checkout-return.server";
import { receivePageForm } from "~/people/check-request.server";
import { findViewer } from "~/people/viewer.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { parseFlash, serializeFlash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("User Credits");

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await findViewer(request);
  const list = new URL(request.url).searchParams.get("list");
  const goTo = list && `/users?${new URLSearchParams({ view: "purchase", list })}`;
  const left = await redirectFromPayment(request, viewer, goTo);
  if (left) throw left;
  // First, because it may settle a payment, which the balances below then include.
  const notice = (viewer && (await loadPaymentNotice(request, viewer))) ?? (await parseFlash(request));
  const view = await loadCreditsView(request, viewer);
  const { content } = view;
  const wrong = (content?.name === "history" || content?.name === "spending") && content.problem !== null;
  const headers = new Headers();
  if (notice?.setCookie) headers.append("Set-Cookie", notice.setCookie);
  const confirming = notice !== null && "confirming" in notice && notice.confirming;
  const status = wrong ? 400 : 200;
  return data({ ...view, flash: notice?.flash ?? null, confirming }, { status, headers });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { viewer, form } = await receivePageForm({ request, context });
  const post = await doCreditsPost(form, viewer);
  if (!post) throw replyFailure(UNKNOWN_FORM);
  if ("posted" in post) return data(post.posted, { status: 400 });
  const headers = new Headers();
  if (post.flash) headers.append("Set-Cookie", await serializeFlash(post.flash));
  return redirect(post.goTo, { status: 303, headers });
}

export default function Users() {
  return <CreditsTab view={useLoaderData<typeof loader>()} posted={useActionData<typeof action>() ?? null} />;
}
