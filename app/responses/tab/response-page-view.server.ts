import { fail, type Outcome, succeed } from "~/platform/outcome";
import { RESPONSE_NOT_FOUND } from "../messages";
import { formatRequestBody, parseStoredRequest } from "../request-data";
import { toStoredResponse } from "../response-row.server";
import { findResponseRow } from "../search/list-responses.server";
import { toStoredAnswer } from "../stored-answer.server";
import type { ResponsePageView } from "./response-page-view";
import { toResponseRow } from "./stored-view.server";

/**
 * One stored response with everything its page shows.
 * Fails with `not_found`, or as the database does.
 */
export async function loadResponsePage(id: string): Promise<Outcome<ResponsePageView>> {
  const found = await findResponseRow(id);
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", RESPONSE_NOT_FOUND);
  const response = toStoredResponse(found.value);
  const { request_data: data, response_headers: headers } = response;
  const { type, isFile } = toStoredAnswer(found.value);
  const request = parseStoredRequest(data);
  return succeed({
    row: toResponseRow(response, new Date()),
    base: request?.base || null,
    query: Object.entries(request?.query ?? {}),
    requestHeaders: Object.entries(request?.headers ?? {}),
    requestBody: formatRequestBody(request ? request.body : data),
    responseHeaders: Object.entries(headers ?? {}),
    responseBody: found.value.response_data ?? null,
    answer: { type, isFile },
  });
}
