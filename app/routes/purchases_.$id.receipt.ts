import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findReceipt } from "~/credits/purchases/purchase-pages.server";
import { requirePageViewer } from "~/people/viewer.server";
import { redirectWithFlash } from "~/platform/http/flash.server";

/** Redirects to Stripe's invoice or receipt, with `?of=refund` to its credit note, or back to the purchase with the reason. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const id = params.id ?? "";
  const found = await findReceipt(id, new URL(request.url).searchParams.get("of") === "refund");
  if (found.ok) return redirect(found.value);
  return redirectWithFlash(`/purchases/${encodeURIComponent(id)}`, {
    tone: "bad",
    message: found.failure.message,
  });
}
