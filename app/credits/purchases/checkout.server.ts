import { randomUUID } from "node:crypto";
import { CREDIT_PACKAGE } from "~/catalogue/prices";
import { openPaymentPage } from "~/outside/stripe/payment-page.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NO_SUCH_USER } from "../credit-users.server";
import { addCheckoutId, findAddressProblem } from "./checkout-address";
import { closeCheckout, insertCheckout, storePaymentPage } from "./checkout-record.server";

/** What somebody wants to buy, for whom, and where the payment page leads back to. */
export interface CheckoutOrder {
  userId: string;
  /** The package on sale is the only choice; absent means that one. */
  credits?: number | null | undefined;
  /** Absolute addresses of our own origin. `checkout=<id>` is added to both. */
  successUrl: string;
  cancelUrl: string;
}

/** A payment page that waits: `id` is ours, `url` is where the browser goes. */
export interface StartedCheckout {
  id: string;
  url: string;
}

const NOTHING_CHARGED = "Nothing was charged.";

/**
 * Opens a page at Stripe where the one package can be paid (money.md §4). Price and quantity are the catalogue's.
 * The purchase is written down before Stripe is called, under the id that Stripe gets as reference and as
 * idempotency key.
 *
 * Fails with `bad_input` for other credits or addresses of another origin, `not_found` for a user there is not,
 * `not_configured` without Stripe or a database, `database_unavailable`, and as asking Stripe does; the message is
 * a whole sentence that says that nothing was charged.
 */
export async function createCheckout(
  order: CheckoutOrder,
  viewer: Viewer,
): Promise<Outcome<StartedCheckout>> {
  const { stripe, appOrigin } = env();
  if (!stripe) {
    return fail(
      "not_configured",
      `Card payment is not configured: STRIPE_SECRET_KEY is not set on the server. ${NOTHING_CHARGED}`,
    );
  }
  const problem = findOrderProblem(order, appOrigin);
  if (problem) return fail("bad_input", `${problem} ${NOTHING_CHARGED}`);
  const id = randomUUID();
  const row = {
    id,
    userId: order.userId,
    actorId: viewer.id,
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
    // Nobody has the page's address, if there is one, so nobody can pay it.
    await withDatabase((db) => closeCheckout(db, id, "failed", "Stripe did not open a payment page."));
    const { code, message } = page.failure;
    const next = code === "not_configured" ? "" : " Try again in a moment.";
    return fail(code, `${message} ${NOTHING_CHARGED}${next}`);
  }
  const { id: pageId, url } = page.value;
  const noted = await withDatabase((db) => storePaymentPage(db, id, pageId));
  if (!noted.ok)
    return fail(
      noted.failure.code,
      `The database is not available. ${NOTHING_CHARGED} Try again in a moment.`,
    );
  if (!noted.value || url === null) {
    return fail("provider_timeout", `The payment page was opened too late. ${NOTHING_CHARGED} Try again.`);
  }
  return succeed({ id, url });
}

function findOrderProblem(order: CheckoutOrder, appOrigin: string): string | null {
  const { credits } = CREDIT_PACKAGE;
  if (order.credits !== undefined && order.credits !== null && order.credits !== credits) {
    return `Credits are sold by ${credits} at a time.`;
  }
  return (
    findAddressProblem("success_url", order.successUrl, appOrigin) ??
    findAddressProblem("cancel_url", order.cancelUrl, appOrigin)
  );
}
