import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { PurchaseList } from "~/credits/purchases/purchase-list";
import { loadPurchases } from "~/credits/purchases/purchase-pages.server";
import { requirePageViewer } from "~/people/viewer.server";
import { requireValue } from "~/platform/http/replies.server";

export const meta = titlePage("Purchases");

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return requireValue(await loadPurchases(new URL(request.url).searchParams, new Date()));
}

export default function Purchases() {
  return <PurchaseList {...useLoaderData<typeof loader>()} />;
}
