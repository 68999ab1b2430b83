import type { LoaderFunctionArgs } from "@remix-run/node";
import { parsePieceFilter } from "~/mail/piece-filter.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFile } from "~/platform/http/replies.server";
import { streamMailRecipientsCsv } from "~/recipients/list-recipients.server";

/** Downloads all recipients of the tab. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request);
  const { searchParams } = new URL(request.url);
  const { userId, search } = parsePieceFilter(searchParams, searchParams.get("user_id") ?? "");
  const file = await streamMailRecipientsCsv({ userId, search }, viewer);
  return replyFile(file, "text/csv", "recipients.csv");
}
