import { type FrozenCall, formatSentHeaders } from "~/outside/mail-provider/call/client.server";
import { maskHeaders, maskKey } from "~/outside/mail-provider/call/keys.server";
import type { SentRequest } from "./answer.schema.server";

const MAX_ECHO_CHARS = 256 * 1024;

/** Formats the request as it was sent, without our key. */
export function formatSentRequest({ method, url, headers, body }: FrozenCall): SentRequest {
  return {
    method,
    url: maskKey(url),
    headers: maskHeaders(formatSentHeaders(headers)),
    body: body === null ? null : cutEcho(body),
  };
}

/** Masks the key before it cuts the body, so that no half of a key remains at the end. */
function cutEcho(body: string): string {
  const masked = maskKey(body);
  if (masked.length <= MAX_ECHO_CHARS) return masked;
  return `${masked.slice(0, MAX_ECHO_CHARS)}\n[cut here: ${masked.length} characters were sent]`;
}
