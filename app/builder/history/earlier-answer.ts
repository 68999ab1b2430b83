import { findMemberText } from "~/platform/json-text";
import { isRecord, parseRecord } from "~/platform/json-value";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { readBodyText } from "~/responses/save/body-text";
import type { StoredResponse } from "~/responses/stored-response.schema.server";
import type { Answer } from "../send/answer";

/** Loads the stored answer of an earlier request; null when it is gone or unreadable, and for a live piece or its copy: the piece has its own page. */
export async function loadEarlierAnswer(responseId: string): Promise<Answer | null> {
  try {
    const reply = await fetch(`/api/responses/${encodeURIComponent(responseId)}`);
    const stored = findMemberText(await reply.text(), "data");
    return stored === null ? null : parseEarlierAnswer(stored);
  } catch {
    return null;
  }
}

/** {@link loadEarlierAnswer} of the JSON text of a stored response. */
export function parseEarlierAnswer(text: string): Answer | null {
  const stored = JSON.parse(text) as StoredResponse;
  if (stored.send_id || stored.mode === "live") return null;
  const { response_data: data, status_code: status } = stored;
  // The stored text, because a parse would change numbers and names.
  const body = findMemberText(text, "response_data") ?? "null";
  const sent = parseRecord(stored.request_data);
  const { success, error } = parseRecord(data);
  const refused = status === null || status >= 400 || success === false;
  const reason = typeof error === "string" ? error : "The request failed";
  const response: ProxyResponse = {
    status,
    data: data ?? null,
    text: body === "null" ? "" : readBodyText(body),
    ...(stored.response_base64 === undefined ? {} : { base64: stored.response_base64 }),
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
  return { kind: "answered", response };
}
