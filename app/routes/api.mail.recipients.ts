import { parseRecipientQuery } from "~/mail/mail.schema.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { listMailRecipients, toWireRecipient } from "~/recipients/list-recipients.server";
import { jsonRoute } from "~/route-handlers.server";

/** Lists a user's recipients, with paging as at `/api/mail/items`. */
export const loader = jsonRoute(async ({ viewer, query }) => {
  const wanted = requireValue(parseRecipientQuery(query));
  const { rows, nextCursor } = requireValue(await listMailRecipients(wanted, viewer));
  return replyJson(
    rows.map(toWireRecipient),
    200,
    nextCursor === null ? {} : { "X-Next-Cursor": nextCursor },
  );
});
