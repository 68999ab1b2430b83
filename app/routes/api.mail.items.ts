import type { LoaderFunctionArgs } from "@remix-run/node";
import { listMailItems } from "~/mail/list-items.server";
import { parseItemQuery } from "~/mail/mail.schema.server";
import { requireViewer } from "~/people/viewer.server";
import { toWireItem } from "~/pieces/mail-item";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/**
 * A user's letters and postcards, newest first, as a bare array: `?userId&type`, and `status`. At most `limit`
 * (200, up to 500); where there are more, the header `X-Next-Cursor` says what to give as `cursor` for the older ones.
 */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const query = parseItemQuery(new URL(request.url).searchParams);
  if (!query.ok) return replyFailure(query.failure);
  const page = await listMailItems(query.value, viewer);
  if (!page.ok) return replyFailure(page.failure);
  const { rows, nextCursor } = page.value;
  return replyJson(rows.map(toWireItem), 200, nextCursor === null ? {} : { "X-Next-Cursor": nextCursor });
}
