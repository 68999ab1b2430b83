import { type Outcome, succeed } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { parseStoredRequest } from "./request-data";
import { toStoredResponse } from "./response-row.server";
import { loadResponseRow } from "./search/list-responses.server";
import type { StoredRequest, StoredResponse } from "./stored-response";

/** The request of a stored response, to be opened in the Builder. */
export interface StoredCall {
  call: StoredRequest;
  presetId: string;
  userId: string;
  /** `21 Nov 2026, 13:05 UTC` */
  sentAt: string;
}

/** Loads the request of a stored response. Fails with `not_found`, or as the database does. */
export async function loadStoredCall(id: string): Promise<Outcome<StoredCall>> {
  const found = await loadResponseRow(id);
  if (!found.ok) return found;
  const { endpoint_preset: presetId, user_id: userId, created_at: createdAt } = found.value;
  const sentAt = formatMoment(createdAt, new Date()).absolute;
  return succeed({ call: toCall(toStoredResponse(found.value)), presetId, userId, sentAt });
}

/** Converts a stored request. Of another shape, saved by hand, only method, path and body are known. */
function toCall({ method, path, request_data: data }: StoredResponse): StoredRequest {
  const known = parseStoredRequest(data);
  if (known) return known;
  const wrapped = typeof data === "object" && data !== null && "body" in data;
  return { base: "", method, path, query: {}, headers: {}, body: (wrapped ? data.body : data) ?? null };
}
