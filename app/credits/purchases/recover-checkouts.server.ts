import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { succeed } from "~/platform/outcome";
import { type Checkout, claimDueCheckouts, closeCheckout } from "./checkout-record.server";
import { completeCheckout } from "./complete-checkout.server";

const BATCH_SIZE = 8;
/** After that long without an answer of Stripe no one waits for the payment page any more, or has its address. */
const OPENING_LIMIT_SECONDS = 120;

/**
 * Settles open purchases that neither a webhook nor the buyer's return has closed. Any number of processes may do so
 * at once.
 */
export const recoverCheckouts: BackgroundTask<Checkout> = {
  name: "recover_checkouts",
  batchSize: BATCH_SIZE,
  atOnce: BATCH_SIZE,
  async claim(limit) {
    return env().stripe ? withDatabase((db) => claimDueCheckouts(db, limit)) : succeed([]);
  },
  async work({ id, stripeSessionId, ageSeconds }) {
    if (stripeSessionId !== null) return completeCheckout(id);
    if (ageSeconds <= OPENING_LIMIT_SECONDS) return succeed(null);
    return withDatabase((db) => closeCheckout(db, id, "failed", "The payment page was never opened."));
  },
};
