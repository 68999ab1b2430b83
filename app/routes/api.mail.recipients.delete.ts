import { parseDeletion } from "~/mail/mail.schema.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { deleteMailRecipient } from "~/recipients/delete-recipient.server";
import { jsonBodyRoute } from "~/route-handlers.server";

/** Deletes a recipient here and at the provider. */
export const action = jsonBodyRoute(async ({ viewer, body }) => {
  const order = requireValue(parseDeletion(body));
  return replyJson({ success: true, ...requireValue(await deleteMailRecipient(order, viewer)) });
});
