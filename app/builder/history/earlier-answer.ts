import { isRecord } from "~/platform/json-value";
import type { ProxyResponse } from "~/proxy/proxy-types";
import type { StoredResponse } from "~/responses/stored-response";
import type { Answer } from "../response/answer";

/**
 * The stored answer of an earlier request, as the response panel shows it. Null where it is gone or cannot be read, and
 * for a live piece: what became of that is on its own page.
 */
export async function loadEarlierAnswer(responseId: string): Promise<Answer | null> {
  try {
    const reply = await fetch(`/api/responses/${encodeURIComponent(responseId)}`);
    const { data } = (await reply.json()) as { data?: StoredResponse };
    return data && !data.send_id ? { kind: "answered", response: toProxyResponse(data) } : null;
  } catch {
    return null;
  }
}

function toProxyResponse(stored: StoredResponse): ProxyResponse {
  const { response_data: data, request_data: request, status_code: status } = stored;
  const sent = isRecord(request) ? request : {};
  const refused = status === null || status >= 400 || (isRecord(data) && data.success === false);
  const reason = isRecord(data) && typeof data.error === "string" ? data.error : "The request failed";
  return {
    status,
    data: data ?? null,
    text: data === undefined || data === null ? "" : typeof data === "string" ? data : JSON.stringify(data),
    error: refused ? reason : null,
    durationMs: stored.duration_ms ?? 0,
    url: stored.path,
    request: {
      method: stored.method,
      url: stored.path,
      headers: isRecord(sent.headers) ? (sent.headers as Record<string, string>) : {},
      body: sent.body === undefined || sent.body === null ? null : JSON.stringify(sent.body, null, 2),
    },
    headers: stored.response_headers ?? {},
    hint: null,
    credits: null,
    response_id: stored.id,
  };
}
