import { randomUUID } from "node:crypto";
import { CREDIT_PACKAGE } from "~/catalogue/prices";
import { openPaymentPage } from "~/outside/stripe/payment-page.server";
import { checkActsFor } from "~/people/admin.server";
import { ensureViewerStored, NO_SUCH_USER, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatBadOrder, formatNotOurAddress } from "../messages";
import { closeCheckout, insertCheckout, storePaymentPage } from "./checkout-record.server";

/** The credits to buy, their user, and the address to which the payment page returns. */
export interface CheckoutOrder {
  userId: string;
  /** The package on sale is the only choice, and the default. */
  credits?: number | null | undefined;
  /** Absolute addresses of our own origin. `checkout=<id>` is added to both. */
  successUrl: string;
  cancelUrl: string;
}

/** An open payment page: `id` is ours, `url` is where the browser goes. */
export interface StartedCheckout {
  id: string;
  url: string;
}

/**
 * Opens a page at Stripe where the package can be paid. Price and quantity come from the catalogue, never from the
 * caller. The purchase is stored before Stripe is called; its ID is Stripe's reference and idempotency key.
 *
 * Fails with `bad_input` for other credits or addresses of another origin, `not_found` for an unknown user,
 * `not_configured` without Stripe or a database, `database_unavailable`, and with Stripe's failures. The message
 * says that nothing was charged.
 */
export async function createCheckout(
  order: CheckoutOrder,
  viewer: Viewer,
): Promise<Outcome<StartedCheckout>> {
  const { stripe, appOrigin } = env();
  if (!stripe) {
    return fail(
      "not_configured",
      "Card payment is not configured: STRIPE_SECRET_KEY is not set on the server. Nothing was charged.",
    );
  }
  const acts = checkActsFor(viewer, order.userId);
  if (!acts.ok) return acts;
  const problem = findOrderProblem(order, appOrigin);
  if (problem) return fail("bad_input", problem);
  const id = randomUUID();
  const row = {
    id,
    userId: order.userId,
    actorId: viewer.actorId,
    successUrl: addCheckoutId(order.successUrl, id),
    cancelUrl: addCheckoutId(order.cancelUrl, id),
  };
  const written = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    if (!(await userExists(db, order.userId))) return false;
    await insertCheckout(db, row);
    return true;
  });
  if (!written.ok) return written;
  if (!written.value) return NO_SUCH_USER;

  const { credits, amountCents, currency } = CREDIT_PACKAGE;
  const { successUrl, cancelUrl } = row;
  const page = await openPaymentPage({
    checkoutId: id,
    name: `${credits} credits`,
    amountCents,
    currency,
    successUrl,
    cancelUrl,
  });
  if (!page.ok) {
    // If Stripe did open a page, no one has its address, so no one can pay there.
    await withDatabase((db) => closeCheckout(db, id, "failed", "Stripe did not open a payment page."));
    const { code, message } = page.failure;
    return fail(
      code,
      `${message} Nothing was charged.${code === "not_configured" ? "" : " Try again in a moment."}`,
    );
  }
  const { id: pageId, url } = page.value;
  const noted = await withDatabase((db) => storePaymentPage(db, id, pageId));
  if (!noted.ok)
    return fail(
      noted.failure.code,
      "The database is not available. Nothing was charged. Try again in a moment.",
    );
  if (!noted.value || url === null)
    return fail(
      "provider_timeout",
      "Stripe took too long to open the payment page. Nothing was charged. Try again.",
    );
  return succeed({ id, url });
}

function findOrderProblem(order: CheckoutOrder, appOrigin: string): string | null {
  const { credits } = CREDIT_PACKAGE;
  if (order.credits !== undefined && order.credits !== null && order.credits !== credits) {
    return `One checkout buys ${CREDIT_PACKAGE.credits} credits. Leave out \`credits\`, or send ${CREDIT_PACKAGE.credits}. Nothing was charged.`;
  }
  const problem =
    findAddressProblem("success_url", order.successUrl, appOrigin) ??
    findAddressProblem("cancel_url", order.cancelUrl, appOrigin);
  return problem && formatBadOrder(problem);
}

/** The addresses that a payment page leads back to. */

const MAX_CHARS = 2_000;

/** Why a buyer must not be sent to an address after the payment; null when it belongs to this console. */
export function findAddressProblem(name: string, address: string, appOrigin: string): string | null {
  const refusal = formatNotOurAddress(name, appOrigin);
  if (address.length > MAX_CHARS)
    return `${name} may have ${MAX_CHARS.toLocaleString("en")} characters at most`;
  // `URL` would silently drop or rewrite these.
  if (/[\p{Cc}\p{Surrogate}\\\s]/u.test(address)) return refusal;
  if (!URL.canParse(address)) return refusal;
  const url = new URL(address);
  return url.origin === appOrigin && url.username === "" && url.password === "" ? null : refusal;
}

/** The address with `checkout=<id>` in its query. Edited as text, so that Stripe's `{CHECKOUT_SESSION_ID}` survives. */
export function addCheckoutId(address: string, id: string): string {
  const url = new URL(address);
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !/^checkout(=|$)/.test(pair));
  url.search = `?${[...kept, `checkout=${id}`].join("&")}`;
  return url.href;
}
