import type { LoaderFunctionArgs } from "@remix-run/node";
import { listMailItems } from "~/mail/list-items.server";
import { parseItemQuery } from "~/mail/mail.schema.server";
import { requireViewer } from "~/people/viewer.server";
import { toWireItem } from "~/pieces/mail-item";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Lists a user's mail as a bare array (part of the contract), with the next cursor in the header `X-Next-Cursor`. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const query = requireValue(parseItemQuery(new URL(request.url).searchParams));
  const { rows, nextCursor } = requireValue(await listMailItems(query, viewer));
  return replyJson(rows.map(toWireItem), 200, nextCursor === null ? {} : { "X-Next-Cursor": nextCursor });
}
