import { redirect } from "@remix-run/node";
import { findReceipt } from "~/credits/purchases/purchase-pages.server";
import { redirectWithFlash } from "~/platform/http/flash.server";
import { pageLoader } from "~/route-handlers.server";

/** Redirects to Stripe's invoice or receipt, with `?of=refund` to its credit note, or back to the purchase with the reason. */
export const loader = pageLoader(async ({ id, query }) => {
  const found = await findReceipt(id, query.get("of") === "refund");
  if (found.ok) return redirect(found.value);
  const { message } = found.failure;
  return redirectWithFlash(`/purchases/${encodeURIComponent(id)}`, { tone: "bad", message });
});
