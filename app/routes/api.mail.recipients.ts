import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseRecipientQuery } from "~/mail/mail.schema.server";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { listMailRecipients, toWireRecipient } from "~/recipients/list-recipients.server";

/** Lists a user's recipients, with paging as at `/api/mail/items`. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const query = requireValue(parseRecipientQuery(new URL(request.url).searchParams));
  const { rows, nextCursor } = requireValue(await listMailRecipients(query, viewer));
  const headers: Record<string, string> = nextCursor === null ? {} : { "X-Next-Cursor": nextCursor };
  return replyJson(rows.map(toWireRecipient), 200, headers);
}
