import type { ActionFunctionArgs } from "@remix-run/node";
import { isSignatureGiven } from "~/outside/mail-provider/webhook.server";
import { handleProviderEvent } from "~/pieces/events/provider-events.server";
import { findBodyLimits, readLimitedBytes } from "~/platform/http/body.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

const BODY_TIME_LIMIT_MS = 10_000;

/** Receives the mail provider's events, which are trusted by their signature. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const limits = findBodyLimits({ context });
  const limitBytes = isSignatureGiven(request.headers) ? limits.knownBytes : limits.anonymousBytes;
  const bytes = requireValue(await readLimitedBytes(request, limitBytes, BODY_TIME_LIMIT_MS));
  return replyJson({ received: true, ...requireValue(await handleProviderEvent(bytes, request.headers)) });
}
