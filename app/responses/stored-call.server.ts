import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { RESPONSE_NOT_FOUND } from "./messages";
import { parseStoredRequest } from "./request-data";
import { findResponse } from "./search/list-responses.server";
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
  const found = await findResponse(id);
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", RESPONSE_NOT_FOUND);
  const { endpoint_preset: presetId, user_id: userId, created_at: createdAt } = found.value;
  const now = new Date();
  return succeed({
    call: toCall(found.value),
    presetId,
    userId,
    sentAt: formatMoment(new Date(createdAt), now).absolute,
  });
}

/** Converts a stored request. Of another shape, saved by hand, only method, path and body are known. */
function toCall({ method, path, request_data: data }: StoredResponse): StoredRequest {
  const known = parseStoredRequest(data);
  if (known) return known;
  const wrapped = typeof data === "object" && data !== null && "body" in data;
  return { base: "", method, path, query: {}, headers: {}, body: (wrapped ? data.body : data) ?? null };
}
