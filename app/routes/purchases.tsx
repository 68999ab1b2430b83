import { useLoaderData } from "@remix-run/react";
import { PurchaseList } from "~/credits/purchases/purchase-list";
import { loadPurchases } from "~/credits/purchases/purchase-pages.server";
import { requireValue } from "~/platform/http/replies.server";
import { pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Purchases");

export const loader = pageLoader(async ({ query, now }) => requireValue(await loadPurchases(query, now)));

export default function Purchases() {
  return <PurchaseList {...useLoaderData<typeof loader>()} />;
}
