import { fail, type Outcome, succeed } from "~/platform/outcome";
import { RESPONSE_NOT_FOUND } from "../messages";
import { formatStrippedFiles, parseStoredRequest } from "../request-data";
import { findResponse } from "../search/list-responses.server";
import type { ResponsePageView } from "./response-page-view";
import { toResponseRow } from "./stored-view.server";

/**
 * One stored response with everything its page shows.
 * Fails with `not_found`, or as the database does.
 */
export async function loadResponsePage(id: string): Promise<Outcome<ResponsePageView>> {
  const found = await findResponse(id);
  if (!found.ok) return found;
  const response = found.value;
  if (!response) return fail("not_found", RESPONSE_NOT_FOUND);
  const { request_data: data, response_data: answer, response_headers: headers } = response;
  const request = parseStoredRequest(data);
  return succeed({
    row: toResponseRow(response, new Date()),
    base: request?.base || null,
    query: Object.entries(request?.query ?? {}),
    requestHeaders: Object.entries(request?.headers ?? {}),
    requestBody: formatStrippedFiles(request ? request.body : (data ?? null)),
    responseHeaders: Object.entries(headers ?? {}),
    responseBody: answer ?? null,
  });
}
