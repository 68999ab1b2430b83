import type { ActionFunctionArgs } from "@remix-run/node";
import { handleProviderEvent } from "~/pieces/events/provider-events.server";
import { readLimitedBytes } from "~/platform/http/body.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
const BODY_TIME_LIMIT_MS = 10_000;

/** The mail provider's events. Trust comes from their signature, not from a session. */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const bytes = await readLimitedBytes(request, BODY_LIMIT_BYTES, BODY_TIME_LIMIT_MS);
  if (!bytes.ok) return replyFailure(bytes.failure);
  const receipt = await handleProviderEvent(bytes.value, request.headers);
  return receipt.ok ? replyJson({ received: true, ...receipt.value }) : replyFailure(receipt.failure);
}
