import { describeAnswer, formatFile, START_BYTES } from "~/outside/mail-provider/call/file-type";
import { withDatabase } from "~/platform/database/database.server";
import { isRecord, parseJson } from "~/platform/json-value";
import { fail, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { FETCH_FAILED, prefixFailure, RESPONSE_NOT_FOUND } from "../messages";
import {
  BODY_COLUMNS,
  isEmptied,
  JOIN_LISTED,
  LISTED_COLUMNS,
  REFUSED_COLUMN,
  type ResponseRow,
  toStoredResponse,
} from "../response-row.server";
import { NOT_STORED, readBodyText } from "../save/body-text";
import { waitForSaves } from "../save/save-in-background.server";
import { parseStoredRequest, type StoredRequest } from "../stored-response";
import type { StoredResponse } from "../stored-response.schema.server";

/** Finds a stored response with its bodies; null when there is none with this id. Fails as {@link listResponses}. */
export async function findResponse(id: string): Promise<Outcome<StoredResponse | null>> {
  const found = await findResponseRow(id);
  return found.ok ? succeed(found.value && toStoredResponse(found.value)) : found;
}

/** Finds a stored response with bodies as JSON texts. */
export async function findResponseRow(id: string): Promise<Outcome<ResponseRow | null>> {
  await waitForSaves();
  const found = await withDatabase(
    (db) => db.$queryRaw<ResponseRow[]>`
      SELECT ${LISTED_COLUMNS}, ${REFUSED_COLUMN}, ${BODY_COLUMNS}
      FROM responses r ${JOIN_LISTED} LEFT JOIN response_bodies b ON b.response_id = r.id
      WHERE r.id = ${toId(id)} AND r.deleted_at IS NULL`,
  );
  return found.ok ? succeed(found.value[0] ?? null) : prefixFailure(FETCH_FAILED, found);
}

/** Loads a stored response as {@link findResponseRow}. Fails also with `not_found`. */
export async function loadResponseRow(id: string): Promise<Outcome<ResponseRow>> {
  const found = await findResponseRow(id);
  if (!found.ok) return found;
  return found.value ? succeed(found.value) : fail("not_found", RESPONSE_NOT_FOUND);
}

/** Returns an id as it is; "" for any other text, which may contain characters that the database refuses. */
export function toId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : "";
}

/** Reads an answer as it came, with its media type and a file name. `isFile` is true when its text is not shown. */
export function toStoredAnswer(row: ResponseRow) {
  const text = readBodyText(row.response_data ?? null);
  const bytes = new Uint8Array(row.response_bytes ?? Buffer.from(text));
  if (text.endsWith(NOT_STORED)) return { bytes, type: "text/plain", name: "response.txt", isFile: false };
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString("latin1");
  const headers = parseJson(row.response_headers ?? "{}") as Record<string, string>;
  return { bytes, ...describeAnswer(start, headers), isFile: text === formatFile(bytes.length) };
}

/** Loads a stored answer. Fails with `not_found`, or as the database does. */
export async function loadStoredAnswer(id: string) {
  const found = await loadResponseRow(id);
  return found.ok ? succeed(toStoredAnswer(found.value)) : found;
}

const REQUEST_EMPTIED = "The request of this stored response was erased or has expired.";

export type StoredCall = ValueOf<typeof loadStoredCall>;

/** Loads the request of a stored response for the Builder. Fails with `not_found`, or as the database does. */
export async function loadStoredCall(id: string) {
  const found = await loadResponseRow(id);
  if (!found.ok) return found;
  if (isEmptied(found.value)) return fail("not_found", REQUEST_EMPTIED);
  const { endpoint_preset: presetId, user_id: userId, created_at: createdAt } = found.value;
  const sentAt = formatMoment(createdAt, new Date()).absolute;
  return succeed({ call: toCall(toStoredResponse(found.value)), presetId, userId, sentAt });
}

/** Converts a stored request. Of another shape, saved by hand, only method, path and body are known. */
function toCall({ method, path, request_data: data }: StoredResponse): StoredRequest {
  const known = parseStoredRequest(data);
  if (known) return known;
  const body = isRecord(data) && "body" in data ? data.body : data;
  return { base: "", method, path, query: {}, headers: {}, body: body ?? null };
}
