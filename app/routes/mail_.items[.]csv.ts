import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamMailItemsCsv } from "~/mail/items-csv.server";
import { parseItemFilter } from "~/mail/mail-view.server";
import { requireViewer } from "~/people/viewer.server";
import { findReader } from "~/platform/http/file-stream.server";
import { replyFile } from "~/platform/http/replies.server";

/** The tab's selection as a file: all its items, not one page. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request);
  const filter = parseItemFilter(new URL(request.url).searchParams);
  const file = await streamMailItemsCsv(filter, viewer, findReader(request, context));
  return replyFile(file, "text/csv", "mail-items.csv");
}
