import type { ActionFunctionArgs } from "@remix-run/node";
import { requireJson } from "~/people/check-request.server";
import { findReturned } from "~/pieces/returned-addresses.server";
import { withDatabase } from "~/platform/database/database.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Finds when mail to a recipient last came back, for the preview. It is posted, because addresses are logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const at = requireValue(await withDatabase((db) => findReturned(db, body)));
  return replyJson({ success: true, returned_at: at?.toISOString() ?? null });
}
