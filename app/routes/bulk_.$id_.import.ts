import { loadList } from "~/bulk/list-record.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonRoute } from "~/route-handlers.server";

/** Returns the progress of a list's import, for the page that posts its file. */
export const loader = jsonRoute(async ({ id }) =>
  replyJson({ percent: requireValue(await loadList(id)).importPercent }),
);
