import { listMailItems, toWireItem } from "~/mail/list-items.server";
import { parseItemQuery } from "~/mail/mail.schema.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonRoute } from "~/route-handlers.server";

/** Lists a user's mail as a bare array (part of the contract), with the next cursor in the header `X-Next-Cursor`. */
export const loader = jsonRoute(async ({ viewer, query }) => {
  const { rows, nextCursor } = requireValue(await listMailItems(requireValue(parseItemQuery(query)), viewer));
  return replyJson(rows.map(toWireItem), 200, nextCursor === null ? {} : { "X-Next-Cursor": nextCursor });
});
