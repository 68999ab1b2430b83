import type { ActionFunctionArgs } from "@remix-run/node";
import { handleStripeEvent } from "~/credits/purchases/checkout-events.server";
import { findBodyLimits, readLimitedBytes } from "~/platform/http/body.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

const BODY_TIME_LIMIT_MS = 10_000;

/** Receives Stripe's events, which are trusted by their signature. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const signature = request.headers.get("Stripe-Signature");
  const limits = findBodyLimits({ context });
  const limitBytes = signature === null ? limits.anonymousBytes : limits.knownBytes;
  const bytes = requireValue(await readLimitedBytes(request, limitBytes, BODY_TIME_LIMIT_MS));
  requireValue(await handleStripeEvent(bytes, signature));
  return replyJson({ received: true });
}
