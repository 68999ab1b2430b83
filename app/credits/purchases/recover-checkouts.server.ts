import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { type Checkout, claimDueCheckouts, closeCheckout } from "./checkout-record.server";
import { completeCheckout } from "./complete-checkout.server";

const AT_ONCE = 8;
/** After that long without an answer of Stripe nobody waits for the payment page any more, or has its address. */
const OPENING_LIMIT_SECONDS = 120;

/**
 * Looks after open purchases that no webhook and no return has closed (money.md §4). Any number of processes may
 * do so at once. Answers how many it looked at.
 */
export async function reconcileCheckouts(): Promise<number> {
  if (!env().stripe) return 0;
  let count = 0;
  for (;;) {
    const claimed = await withDatabase((db) => claimDueCheckouts(db, AT_ONCE));
    if (!claimed.ok || claimed.value.length === 0) return count;
    const done = await Promise.all(claimed.value.map(lookAfter));
    count += done.length;
    // Stripe is away: the rest waits for the next round.
    if (!done.includes(true)) return count;
  }
}

async function lookAfter(checkout: Checkout): Promise<boolean> {
  if (checkout.stripeSessionId !== null) {
    const settled = await completeCheckout(checkout.id);
    if (!settled.ok) log.warn("a payment could not be looked at", { event: settled.failure.code });
    return settled.ok;
  }
  if (checkout.ageSeconds > OPENING_LIMIT_SECONDS) {
    await withDatabase((db) =>
      closeCheckout(db, checkout.id, "failed", "The payment page was never opened."),
    );
  }
  return true;
}
