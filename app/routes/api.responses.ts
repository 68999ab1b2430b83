import { replyJsonText, requireValue } from "~/platform/http/replies.server";
import { serializeResponsePage } from "~/responses/response-row.server";
import { saveResponse } from "~/responses/save/save-response.server";
import { parseResponseQuery } from "~/responses/search/filter.schema.server";
import { listResponses } from "~/responses/search/list-responses.server";
import { jsonRoute, keyedBodyRoute } from "~/route-handlers.server";

export const loader = jsonRoute(async ({ query }) => {
  const page = requireValue(await listResponses(requireValue(parseResponseQuery(query))));
  return replyJsonText(serializeResponsePage(page));
});

export const action = keyedBodyRoute(({ viewer, body }) => saveResponse(body, viewer));
