import { useLoaderData } from "@remix-run/react";
import { PurchasePage } from "~/credits/purchases/purchase-page";
import {
  askStripeAbout,
  loadPurchase,
  type PurchasePageView,
} from "~/credits/purchases/purchase-pages.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { replyFailure, requireValue } from "~/platform/http/replies.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage<{ view: PurchasePageView }>("Purchase", ({ view }) => view.title);

export const loader = pageLoader(async ({ request, id, now }) =>
  dataWithFlash(request, { view: requireValue(await loadPurchase(id, now)) }),
);

export const action = pageAction(async ({ id, form }) => {
  if (form.get("intent") !== "ask") throw replyFailure(UNKNOWN_FORM);
  return redirectWithFlash(`/purchases/${encodeURIComponent(id)}`, await askStripeAbout(id));
});

export default function Purchase() {
  return <PurchasePage {...useLoaderData<typeof loader>()} />;
}
