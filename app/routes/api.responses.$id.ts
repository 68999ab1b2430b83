import { replyJson, replyJsonText, requireValue } from "~/platform/http/replies.server";
import { deleteResponse } from "~/responses/change-response.server";
import { serializeStoredResponse } from "~/responses/response-row.server";
import { loadResponseRow } from "~/responses/search/find-response.server";
import { jsonRoute } from "~/route-handlers.server";

export const loader = jsonRoute(async ({ id }) => {
  const found = requireValue(await loadResponseRow(id));
  return replyJsonText(`{"success":true,"data":${serializeStoredResponse(found)}}`);
});

export const action = jsonRoute(async ({ id, viewer }) => {
  requireValue(await deleteResponse(id, viewer));
  return replyJson({ success: true });
});
