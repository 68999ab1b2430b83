import { requireValue } from "~/platform/http/replies.server";
import { NDJSON, streamResponses } from "~/responses/search/export-responses.server";
import { parseResponseQuery } from "~/responses/search/filter.schema.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads all rows with their bodies, one JSON object a line; `bodies=0` omits the bodies. */
export const loader = fileLoader("application/x-ndjson", "stored-responses.ndjson", async ({ query }) => {
  const { filter, bodies } = requireValue(parseResponseQuery(query));
  return streamResponses(filter, NDJSON, bodies);
});
