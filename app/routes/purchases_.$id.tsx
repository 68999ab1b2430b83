import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { PurchasePage } from "~/credits/purchases/purchase-page";
import {
  askStripeAbout,
  loadPurchase,
  type PurchasePageView,
} from "~/credits/purchases/purchase-pages.server";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { replyFailure, requireValue } from "~/platform/http/replies.server";

export const meta = titlePage<{ view: PurchasePageView }>("Purchase", ({ view }) => view.title);

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const view = requireValue(await loadPurchase(params.id ?? "", new Date()));
  return dataWithFlash(request, { view });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { form } = await requirePageForm({ request, context });
  if (form.get("intent") !== "ask") throw replyFailure(UNKNOWN_FORM);
  const id = params.id ?? "";
  return redirectWithFlash(`/purchases/${encodeURIComponent(id)}`, await askStripeAbout(id));
}

export default function Purchase() {
  const { view, flash } = useLoaderData<typeof loader>();
  return <PurchasePage view={view} flash={flash} />;
}
