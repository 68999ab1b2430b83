import { requireValue } from "~/platform/http/replies.server";
import { CSV, streamResponses } from "~/responses/search/export-responses.server";
import { parseResponseQuery } from "~/responses/search/filter.schema.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads all rows of the list's filter. */
export const loader = fileLoader("text/csv", "stored-responses.csv", async ({ query }) =>
  streamResponses(requireValue(parseResponseQuery(query)).filter, CSV),
);
