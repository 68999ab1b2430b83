import Stripe from "stripe";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { type Failed, fail, type Outcome, succeed } from "~/platform/outcome";

const CALL_LIMIT_MS = 8_000;
/** Retries after no answer, 409 or 5xx. They are safe by their idempotency key. */
const REPETITIONS = 1;

const clients = new Map<string, Stripe>();

/**
 * Calls Stripe. When Stripe refuses a key, nothing was done, and the next key is tried. Fails with `not_configured` (no key, or
 * none that Stripe accepts), `not_found`, `rate_limited`, `provider_timeout`, and `provider_unreachable` for any other error.
 * After the last two it may have been done. Stripe's own messages are not shown, because they quote the key.
 */
export async function callStripe<T>(question: (stripe: Stripe) => Promise<T>): Promise<Outcome<T>> {
  const { stripe } = env();
  if (stripe === null) {
    const message = "Card payment is not configured: set STRIPE_SECRET_KEY and start the console again.";
    return fail("not_configured", message);
  }
  const keys = [...stripe.secretKeys];
  for (;;) {
    try {
      return succeed(await question(openClient(keys.shift() ?? "", stripe.apiBase)));
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      if (keys.length > 0 && error instanceof Stripe.errors.StripeAuthenticationError) continue;
      const failed = toFailedOutcome(error);
      log.warn("stripe.failed", {
        failureCode: failed.failure.code,
        reason: [error.type, error.code, error.requestId].filter(Boolean).join(" "),
        ...(error.statusCode === undefined ? {} : { providerStatus: error.statusCode }),
      });
      return failed;
    }
  }
}

/** Returns the ID of an object that Stripe may have expanded. */
export function idOf(value: string | { id: string } | null): string | null {
  return typeof value === "string" ? value : (value?.id ?? null);
}

/** True when the configured key moves real money. */
export function isLiveKey(): boolean {
  return /^[sr]k_live_/.test(env().stripe?.secretKeys[0] ?? "");
}

function openClient(key: string, apiBase: string): Stripe {
  const found = clients.get(key);
  if (found) return found;
  const { protocol, hostname, port } = new URL(apiBase);
  const client = new Stripe(key, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? 80 : 443),
    timeout: CALL_LIMIT_MS,
    maxNetworkRetries: REPETITIONS,
    telemetry: false,
  });
  clients.set(key, client);
  return client;
}

function toFailedOutcome({ type, message, code, statusCode }: Stripe.errors.StripeError): Failed {
  switch (type) {
    case "StripeConnectionError":
      // Only the package's message distinguishes the two.
      return /timeout/i.test(message)
        ? fail("provider_timeout", "Stripe did not answer in time.")
        : fail("provider_unreachable", "Stripe cannot be reached.");
    case "StripeAuthenticationError":
    case "StripePermissionError":
      return fail(
        "not_configured",
        "Stripe does not accept the configured key: STRIPE_SECRET_KEY must be changed.",
      );
    case "StripeRateLimitError":
      return fail("rate_limited", "Stripe takes no more requests for the moment.");
  }
  if (code === "resource_missing") return fail("not_found", "Stripe does not know this payment.");
  const status = statusCode ? ` (status ${statusCode})` : "";
  return fail("provider_unreachable", `Stripe could not do this${status}.`);
}
