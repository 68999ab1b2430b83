import { listCurlNotes, openCurl, parseCurlRequest } from "~/builder/draft/open-curl.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonBodyRoute } from "~/route-handlers.server";

/** Parses a curl command for the Builder. It is posted, because addresses are logged. */
export const action = jsonBodyRoute(async ({ body }) => {
  const { command, base } = requireValue(parseCurlRequest(body));
  const { opened, report } = requireValue(openCurl(command, base));
  return replyJson({ success: true, opened, notes: listCurlNotes(report) });
});
