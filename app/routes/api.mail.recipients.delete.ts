import type { ActionFunctionArgs } from "@remix-run/node";
import { parseDeletion } from "~/mail/mail.schema.server";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { deleteMailRecipient } from "~/recipients/delete-recipient.server";

/** Deletes a recipient here and at the provider. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireJson({ request, context });
  const order = requireValue(parseDeletion(body));
  return replyJson({ success: true, ...requireValue(await deleteMailRecipient(order, viewer)) });
}
