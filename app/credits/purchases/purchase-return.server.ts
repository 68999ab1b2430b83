import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { Viewer } from "~/people/viewer.server";
import { createSignedCookie } from "~/platform/http/cookies.server";
import type { CreditsView } from "../credits-view";
import { loadCheckoutReturn } from "./checkout-return.server";

const ASKED_FOR_SECONDS = 3_600;

const checkout = z.object({ id: z.string().max(200).nullable(), canceled: z.boolean() });

/**
 * Whoever comes back from the payment page has a flag in the address (spec §2): a redirect to the address without
 * it, the payment kept in a cookie; null on any other address. `goTo` is where what was bought for waits.
 */
export async function redirectFromPayment(
  request: Request,
  viewer: Viewer | null,
  goTo: string | null = null,
): Promise<Response | null> {
  const { searchParams } = new URL(request.url);
  const canceled = searchParams.get("canceled") === "true";
  if (!canceled && searchParams.get("success") !== "true") return null;
  // Settled before any page is loaded, so that every balance on it is the one after the payment.
  if (viewer) await loadCheckoutReturn(searchParams.get("checkout"), viewer, { canceled });
  const returned = { id: searchParams.get("checkout")?.slice(0, 200) ?? null, canceled };
  return redirect(goTo ?? `/users?view=${canceled ? "purchase" : "overview"}`, {
    headers: { "Set-Cookie": await openCookie().serialize(returned) },
  });
}

/**
 * What to say about the payment that this browser came back from, null when from none. It is asked for again while
 * it is being confirmed, and said once when it is settled: `setCookie` then forgets it.
 */
export async function loadPaymentNotice(
  request: Request,
  viewer: Viewer,
): Promise<{
  flash: NonNullable<CreditsView["flash"]>;
  confirming: boolean;
  setCookie: string | null;
} | null> {
  const cookie = openCookie();
  const parsed = checkout.safeParse(await cookie.parse(request.headers.get("Cookie")));
  if (!parsed.success) return null;
  const { id, canceled } = parsed.data;
  const { standing, tone, message } = await loadCheckoutReturn(id, viewer, { canceled });
  const confirming = standing === "confirming";
  return {
    flash: { tone, message },
    confirming,
    setCookie: confirming ? null : await cookie.serialize("", { maxAge: 0 }),
  };
}

function openCookie() {
  return createSignedCookie("mailroom_checkout", { path: "/", maxAgeSeconds: ASKED_FOR_SECONDS });
}
