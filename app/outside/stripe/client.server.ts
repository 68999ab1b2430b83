import Stripe from "stripe";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { type Failure, fail, type Outcome, succeed } from "~/platform/outcome";

const CALL_LIMIT_MS = 8_000;
/** Of calls that failed without a word; Stripe knows a repetition by its idempotency key. */
const REPETITIONS = 1;

const NOT_CONFIGURED = fail(
  "not_configured",
  "Card payment is not configured: set STRIPE_SECRET_KEY and start the console again.",
);

/** By key. */
const clients = new Map<string, Stripe>();

/**
 * Asks Stripe for something, with the next of our keys where it does not take one: then nothing was done. Fails with `not_configured` without a key or with one that Stripe does not take,
 * `not_found`, `rate_limited`, `provider_timeout`, and `provider_unreachable` for all else. After the last two it
 * may have been done. Stripe's own words stay out: they quote the key.
 */
export async function askStripe<T>(question: (stripe: Stripe) => Promise<T>): Promise<Outcome<T>> {
  const [first, ...others] = env().stripe?.secretKeys ?? [];
  if (first === undefined) return NOT_CONFIGURED;
  return askWith(first, others, question);
}

async function askWith<T>(
  key: string,
  others: string[],
  question: (stripe: Stripe) => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return succeed(await question(openClient(key)));
  } catch (error) {
    const [next, ...rest] = others;
    if (next !== undefined && error instanceof Stripe.errors.StripeAuthenticationError) {
      return askWith(next, rest, question);
    }
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { failure } = toFailure(error);
    log.warn("stripe.failed", {
      event: failure.code,
      reason: [error.type, error.code, error.requestId].filter(Boolean).join(" "),
      ...(error.statusCode === undefined ? {} : { providerStatus: error.statusCode }),
    });
    return { ok: false, failure };
  }
}

/** Whether money moves for real with the configured key. */
export function isLiveKey(): boolean {
  return /^[sr]k_live_/.test(env().stripe?.secretKeys[0] ?? "");
}

function openClient(key: string): Stripe {
  const { protocol, hostname, port } = new URL(env().stripe?.apiBase ?? "");
  const found = clients.get(key);
  if (found) return found;
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

function toFailure(error: Stripe.errors.StripeError): { failure: Failure } {
  if (error instanceof Stripe.errors.StripeConnectionError) {
    // The package tells the two apart in its message only.
    return /timeout/i.test(error.message)
      ? fail("provider_timeout", "Stripe did not answer in time.")
      : fail("provider_unreachable", "Stripe cannot be reached.");
  }
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return fail(
      "not_configured",
      "Stripe does not accept the configured key: STRIPE_SECRET_KEY must be changed.",
    );
  }
  if (error instanceof Stripe.errors.StripeRateLimitError) {
    return fail("rate_limited", "Stripe takes no more requests for the moment.");
  }
  if (error.code === "resource_missing") return fail("not_found", "Stripe does not know this payment.");
  return fail(
    "provider_unreachable",
    `Stripe could not do this${error.statusCode ? ` (status ${error.statusCode})` : ""}.`,
  );
}
