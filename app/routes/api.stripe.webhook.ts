import type { ActionFunctionArgs } from "@remix-run/node";
import { handleStripeEvent } from "~/credits/purchases/checkout-events.server";
import { readLimitedBytes } from "~/platform/http/body.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

const BODY_LIMIT_BYTES = 1024 * 1024;
const BODY_TIME_LIMIT_MS = 10_000;

/** Stripe's events. Trust comes from their signature, not from a session. */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const bytes = await readLimitedBytes(request, BODY_LIMIT_BYTES, BODY_TIME_LIMIT_MS);
  if (!bytes.ok) return replyFailure(bytes.failure);
  const receipt = await handleStripeEvent(bytes.value, request.headers.get("Stripe-Signature"));
  return receipt.ok ? replyJson({ received: true }) : replyFailure(receipt.failure);
}
