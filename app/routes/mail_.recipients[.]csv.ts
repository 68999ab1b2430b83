import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { findReader } from "~/platform/http/file-stream.server";
import { replyFile } from "~/platform/http/replies.server";
import { streamMailRecipientsCsv } from "~/recipients/recipients-csv.server";

/** A user's recipients as a file: all of them, not one page. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request);
  const userId = new URL(request.url).searchParams.get("user_id") ?? "";
  const file = await streamMailRecipientsCsv(userId, viewer, findReader(request, context));
  return replyFile(file, "text/csv", "recipients.csv");
}
