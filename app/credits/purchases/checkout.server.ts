import { randomUUID } from "node:crypto";
import { z } from "zod";
import { CREDIT_PACKAGE } from "~/catalogue/prices";
import { openPaymentPage } from "~/outside/stripe/payment-page.server";
import { userId } from "~/people/stored-user.schema.server";
import { ensureViewerStored, NO_SUCH_USER, userExists } from "~/people/stored-user.server";
import { checkActsFor, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatInteger } from "~/platform/format-integer";
import { parseInput } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatBadOrder, NOT_OUR_ADDRESS } from "../messages";
import { closeCheckout, insertCheckout, storePaymentPage } from "./checkout-record.server";

const address = z.string().trim();

/** The body of `POST /api/stripe/create-checkout`. A price from a caller is ignored. */
export const wireOrder = z
  .object({
    user_id: userId,
    credits: z.number("must be a number, or left out").nullish(),
    success_url: address,
    cancel_url: address,
  })
  .transform(({ user_id: userId, credits = null, success_url: successUrl, cancel_url: cancelUrl }) => {
    return { userId, credits, successUrl, cancelUrl };
  });

/**
 * Credits to buy, their user, and the return addresses: of our own origin, and `checkout=<id>` is added to both. The package on sale is
 * the only choice of credits, and the default.
 */
type CheckoutOrder = z.infer<typeof wireOrder>;

export function parseCheckoutOrder(input: unknown): Outcome<CheckoutOrder> {
  return parseInput(wireOrder, input, formatBadOrder);
}

/**
 * Opens a page at Stripe to pay the package. Price and quantity come from the catalogue, never from the caller. The purchase is stored before
 * Stripe is called; its ID is Stripe's reference and idempotency key. The message of a failure says that nothing was charged.
 */
export async function createCheckout(
  order: CheckoutOrder,
  viewer: Viewer,
): Promise<Outcome<{ id: string; url: string }>> {
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
    return (await userExists(db, order.userId)) ? insertCheckout(db, row) : NO_SUCH_USER;
  });
  if (!written.ok) return written;

  const { credits, ...price } = CREDIT_PACKAGE;
  const { successUrl, cancelUrl } = row;
  const name = `${credits} credits`;
  const page = await openPaymentPage({ checkoutId: id, name, ...price, successUrl, cancelUrl });
  if (!page.ok) {
    // If Stripe did open a page, no one has its address to pay there.
    await withDatabase((db) => closeCheckout(db, id, "failed", "Stripe did not open a payment page."));
    const { code, message } = page.failure;
    return fail(
      code,
      `${message} Nothing was charged.${code === "not_configured" ? "" : " Try again in a moment."}`,
    );
  }
  const { id: pageId, url } = page.value;
  const stored = await withDatabase((db) => storePaymentPage(db, id, pageId));
  if (!stored.ok) {
    const message = "The database is not available. Nothing was charged. Try again in a moment.";
    return fail(stored.failure.code, message);
  }
  if (!stored.value || url === null) {
    const message = "Stripe took too long to open the payment page. Nothing was charged. Try again.";
    return fail("provider_timeout", message);
  }
  return succeed({ id, url });
}

function findOrderProblem(order: CheckoutOrder, appOrigin: string): string | null {
  const { credits } = CREDIT_PACKAGE;
  if ((order.credits ?? credits) !== credits) {
    return `One checkout buys ${credits} credits. Leave out \`credits\`, or send ${credits}. Nothing was charged.`;
  }
  const problem =
    findAddressProblem("success_url", order.successUrl, appOrigin) ??
    findAddressProblem("cancel_url", order.cancelUrl, appOrigin);
  return problem && formatBadOrder(problem);
}

const MAX_CHARS = 2_000;

/** Finds why a return address is refused; null when it belongs to this console. */
export function findAddressProblem(name: string, address: string, appOrigin: string): string | null {
  const refusal = `${name} ${NOT_OUR_ADDRESS}, starting with ${appOrigin}/`;
  if (address.length > MAX_CHARS) return `${name} may have ${formatInteger(MAX_CHARS)} characters at most`;
  // `URL` would silently drop or rewrite these.
  if (/[\p{Cc}\p{Surrogate}\\\s]/u.test(address)) return refusal;
  if (!URL.canParse(address)) return refusal;
  const url = new URL(address);
  return url.origin === appOrigin && url.username === "" && url.password === "" ? null : refusal;
}

/** Adds `checkout=<id>` to the query of an address. Edits it as text, so that Stripe's `{CHECKOUT_SESSION_ID}` survives. */
export function addCheckoutId(address: string, id: string): string {
  const url = new URL(address);
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !/^checkout(=|$)/.test(pair));
  url.search = `?${[...kept, `checkout=${id}`].join("&")}`;
  return url.href;
}
