import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { Viewer } from "~/people/viewer.server";
import { createSignedCookie } from "~/platform/http/cookies.server";
import type { CreditsView } from "../credits-view";
import { loadCheckoutReturn } from "./checkout-return.server";

const COOKIE_SECONDS = 3_600;

const checkout = z.object({ id: z.string().max(200).nullable(), canceled: z.boolean() });

/**
 * Someone who returns from the payment page has `success` or `canceled` in the address. This redirects to the address
 * without them and remembers the payment in a cookie; null on any other address.
 * @param goTo the page to continue on: the parked draft, or null for the credits
 */
export async function redirectFromPayment(
  request: Request,
  viewer: Viewer | null,
  goTo: string | null = null,
): Promise<Response | null> {
  const { searchParams } = new URL(request.url);
  const canceled = searchParams.get("canceled") === "true";
  if (!canceled && searchParams.get("success") !== "true") return null;
  // Settled first, so that the next page shows the balance after the payment.
  if (viewer) await loadCheckoutReturn(searchParams.get("checkout"), viewer, { canceled });
  const returned = { id: searchParams.get("checkout")?.slice(0, 200) ?? null, canceled };
  return redirect(goTo ?? `/users?view=${canceled ? "purchase" : "overview"}`, {
    headers: { "Set-Cookie": await openCookie().serialize(returned) },
  });
}

/**
 * The notice about the payment that this browser returned from; null when there is none. It is shown while the
 * payment is being confirmed, and once more when it is settled: `setCookie` then removes the cookie.
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
  const { outcome, tone, message } = await loadCheckoutReturn(id, viewer, { canceled });
  const confirming = outcome === "confirming";
  return {
    flash: { tone, message },
    confirming,
    setCookie: confirming ? null : await cookie.serialize("", { maxAge: 0 }),
  };
}

function openCookie() {
  return createSignedCookie("mailroom_checkout", { path: "/", maxAgeSeconds: COOKIE_SECONDS });
}
