import { replyJson, requireValue } from "~/platform/http/replies.server";
import { loadExport } from "~/privacy/person-page.server";
import { jsonRoute } from "~/route-handlers.server";

/** Downloads everything stored about a person and the ticked records. */
export const loader = jsonRoute(async ({ id, query }) => {
  const found = requireValue(await loadExport(id, query.getAll("match")));
  return replyJson(found, 200, { "Content-Disposition": 'attachment; filename="personal-data.json"' });
});
