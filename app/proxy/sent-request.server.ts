import { type FrozenCall, formatSentHeaders } from "~/outside/mail-provider/call/client.server";
import { maskHeaders, maskKey } from "~/outside/mail-provider/call/mask.server";
import type { SentRequest } from "./proxy-types";

const MAX_ECHO_CHARS = 256 * 1024;

/** The request as it was sent, without our key. */
export function formatSentRequest(call: FrozenCall): SentRequest {
  return {
    method: call.method,
    url: maskKey(call.url),
    headers: maskHeaders(formatSentHeaders(call.headers)),
    body: call.body === null ? null : cutEcho(call.body),
  };
}

/** The key is masked before the body is cut, so that no half of it is left at the end. */
function cutEcho(body: string): string {
  const masked = maskKey(body);
  if (masked.length <= MAX_ECHO_CHARS) return masked;
  return `${masked.slice(0, MAX_ECHO_CHARS)}\n[cut here: ${masked.length} characters were sent]`;
}
