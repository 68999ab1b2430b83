import type { ProxyRequest } from "~/proxy/proxy-types";
import { type Answer, parseAnswer } from "./answer";

/**
 * Sends a request through `POST /api/stannp`. Never throws.
 * @param unreachable what to tell when the Mailroom server does not answer
 */
export async function postToProxy(
  request: ProxyRequest,
  unreachable: string,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    const reply = await fetch("/api/stannp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal,
    });
    return parseAnswer(reply.status, await reply.text());
  } catch {
    return signal?.aborted
      ? { kind: "stopped" }
      : { kind: "failed", message: unreachable, response: null, httpStatus: null };
  }
}
