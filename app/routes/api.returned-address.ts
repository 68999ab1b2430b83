import { findReturned } from "~/pieces/returned-mail.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { parseRecord } from "~/platform/json-value";
import { parseAddressee } from "~/recipients/addressee.server";
import { jsonBodyRoute } from "~/route-handlers.server";

/** Finds when mail to a recipient last came back, for the preview. It is posted, because addresses are logged. */
export const action = jsonBodyRoute(async ({ body }) => {
  const { recipient_id: id, base_url: baseUrl } = parseRecord(body);
  const recipientId = typeof id === "string" ? id : null;
  const { key } = parseAddressee(body);
  const find = () => withDatabase((db) => findReturned(db, { key, recipientId }, String(baseUrl ?? "")));
  // Without a database no mail is recorded.
  const at = env().database.kind === "none" ? null : requireValue(await find());
  return replyJson({ success: true, returned_at: at?.toISOString() ?? null });
});
