import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PurchasePage } from "~/credits/purchases/purchase-page";
import { askStripeAbout, loadPurchase } from "~/credits/purchases/purchase-page.server";
import type { PurchasePageView } from "~/credits/purchases/purchase-view";
import { requirePageForm } from "~/people/first-checks.server";
import { requirePageViewer } from "~/people/viewer.server";
import { parseFlash, serializeFlash } from "~/platform/http/flash.server";
import { UNKNOWN_FORM } from "~/platform/http/page-form.server";
import { replyFailure } from "~/platform/http/replies.server";

export function meta({ data: shown }: { data: { view: PurchasePageView } | undefined }) {
  return [{ title: `${shown ? shown.view.title : "Purchase"} · Mailroom` }];
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const view = await loadPurchase(params.id ?? "", new Date());
  if (!view.ok) throw replyFailure(view.failure);
  const said = await parseFlash(request);
  return data(
    { view: view.value, flash: said?.flash ?? null },
    said ? { headers: { "Set-Cookie": said.setCookie } } : undefined,
  );
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { form } = await requirePageForm({ request, context });
  if (form.get("intent") !== "ask") throw replyFailure(UNKNOWN_FORM);
  const id = params.id ?? "";
  const flash = await askStripeAbout(id);
  return redirect(`/purchases/${encodeURIComponent(id)}`, {
    status: 303,
    headers: { "Set-Cookie": await serializeFlash(flash) },
  });
}

export default function Purchase() {
  const { view, flash } = useLoaderData<typeof loader>();
  return <PurchasePage view={view} flash={flash} />;
}
