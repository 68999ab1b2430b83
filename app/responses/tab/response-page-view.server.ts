import { buildUrl } from "~/outside/mail-provider/call/address.server";
import { formatSentHeaders } from "~/outside/mail-provider/call/client.server";
import { env } from "~/platform/env.server";
import { succeed, type ValueOf } from "~/platform/outcome";
import { formatRequestBody, parseStoredRequest } from "../request-data";
import { isEmptied, type ResponseRow, toStoredResponse } from "../response-row.server";
import { loadResponseRow } from "../search/list-responses.server";
import { toStoredAnswer } from "../stored-answer.server";
import type { StoredRequest } from "../stored-response";
import { toResponseRow } from "./stored-view.server";

export type ResponsePageView = ValueOf<typeof loadResponsePage>;

/** Loads everything that the page of a stored response shows. Fails with `not_found`, or as the database does. */
export async function loadResponsePage(id: string) {
  const found = await loadResponseRow(id);
  if (!found.ok) return found;
  const response = toStoredResponse(found.value);
  const { request_data: data, response_headers: headers } = response;
  const { type, isFile } = toStoredAnswer(found.value);
  const request = parseStoredRequest(data);
  return succeed({
    row: toResponseRow(response, new Date()),
    base: request?.base || null,
    /** Null when the base URL is not known. */
    url: request && findUrl(request),
    query: Object.entries(request?.query ?? {}),
    requestHeaders: request ? Object.entries(listSentHeaders(request)) : [],
    /** JSON text; all of `request_data` when it is not a `StoredRequest`. */
    requestBody: formatRequestBody(request ? request.body : data),
    erasedPart: findErasedPart(found.value),
    responseHeaders: Object.entries(headers ?? {}),
    responseBody: found.value.response_data ?? null,
    /** Its media type. The text of a file is not shown. */
    answer: { type, isFile },
  });
}

/** Finds what of the bodies is erased. One of which an object was erased is stored as JSON without spaces. */
function findErasedPart(row: ResponseRow): "all" | "some" | null {
  if (isEmptied(row)) return "all";
  return `${row.request_data}${row.response_data}`.includes('{"erased":true}') ? "some" : null;
}

function findUrl({ base: label, path, query }: StoredRequest): string | null {
  const base = env().baseUrls.find((known) => known.label === label);
  const url = base && buildUrl(base, path, query);
  return url?.ok ? url.value : null;
}

/** Lists the headers as they were sent. A body is sent as JSON unless a header names another type. */
function listSentHeaders({ headers, body }: StoredRequest): Record<string, string> {
  return formatSentHeaders(body === null ? headers : { "content-type": "application/json", ...headers });
}
