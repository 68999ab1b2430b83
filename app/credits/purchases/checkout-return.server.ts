import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { PaymentState } from "~/outside/stripe/payment-page.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { createSignedCookie } from "~/platform/http/session.server";
import { formatCredits } from "../format-credits";
import { CANCELED_MESSAGE, PAID_MESSAGE } from "../messages";
import { type Checkout, findCheckout, findLatestCheckout } from "./checkout-record.server";
import { settleCheckout } from "./complete-checkout.server";

const COOKIE_SECONDS = 3_600;

const cookieValue = z.object({ id: z.string().max(200).nullable(), canceled: z.boolean() });

const OUR_ID = /^[0-9a-f-]{36}$/;

/** Notices for the person who returns from a payment, by its outcome. `confirming`: check again in a moment. */
const NOTICES = {
  paid: { tone: "ok", message: PAID_MESSAGE },
  canceled: { tone: "info", message: CANCELED_MESSAGE },
  confirming: {
    tone: "info",
    message: "Stripe is still confirming your payment. The credits follow; do not pay again.",
  },
  failed: { tone: "bad", message: "The payment failed, so no credits were added. You can try again." },
  expired: {
    tone: "bad",
    message: "The payment page expired before you paid. Nothing was charged; you can start again.",
  },
  mismatch: {
    tone: "bad",
    message: "Your payment does not match the order, so no credits were added.",
  },
  unknown: {
    tone: "info",
    message: "You have no recent payment. The transaction history lists every purchase.",
  },
} as const;

type PaymentOutcome = keyof typeof NOTICES;

/**
 * Loads the outcome of a payment. Settles an open one with Stripe first, so that the notice never calls credits added too early.
 * @param checkoutId null for the viewer's latest purchase within a day
 */
export async function loadCheckoutReturn(
  checkoutId: string | null,
  viewer: Pick<Viewer, "id">,
  { canceled = false }: { canceled?: boolean } = {},
): Promise<{ outcome: PaymentOutcome; tone: "ok" | "bad" | "info"; message: string }> {
  const notify = (outcome: PaymentOutcome) => ({ outcome, ...NOTICES[outcome] });
  if (canceled && checkoutId === null) return notify("canceled");
  if (checkoutId !== null && !OUR_ID.test(checkoutId)) return notify("unknown");
  const found = await withDatabase((db) =>
    checkoutId === null ? findLatestCheckout(db, viewer.id) : findCheckout(db, checkoutId),
  );
  if (!found.ok) return notify(canceled ? "canceled" : "confirming");
  if (!found.value) return notify(canceled ? "canceled" : "unknown");
  const stored = found.value;
  const settled = stored.state === "open" ? await settleCheckout(stored, stored.stripeSessionId) : null;
  const { checkout, payment } = settled?.ok ? settled.value : { checkout: stored, payment: null };
  const { id, userId, userName, credits } = checkout;
  const notice = notify(findOutcome(checkout.state, payment, canceled));
  const sentences: string[] = [notice.message];
  if (notice.outcome === "mismatch") {
    sentences.push(`Give the operator of this console the payment number ${id}.`);
  }
  if (userId !== viewer.id && notice.outcome !== "canceled") {
    sentences.push(`The purchase: ${formatCredits(credits)} for ${userName}.`);
  }
  return { ...notice, message: sentences.join(" ") };
}

function findOutcome(state: Checkout["state"], payment: PaymentState | null, canceled: boolean) {
  if (state === "completed") return "paid";
  if (state === "expired") return canceled ? "canceled" : "expired";
  if (state === "open") return canceled && payment !== "processing" ? "canceled" : "confirming";
  return state;
}

/**
 * Redirects a return from the payment page, which has `success` or `canceled` in the address, to the address without them, and stores the
 * payment in a cookie. Null on any other address.
 * @param goTo the next page: the parked draft, or null for the credits
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
 * Loads the notice of the payment in this browser's cookie; null without one. It is shown while the payment is being confirmed and once
 * after it is settled: `setCookie` then removes the cookie.
 */
export async function loadPaymentNotice(request: Request, viewer: Viewer) {
  const cookie = openCookie();
  const parsed = cookieValue.safeParse(await cookie.parse(request.headers.get("Cookie")));
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
