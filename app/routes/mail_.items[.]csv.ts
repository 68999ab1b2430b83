import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamMailItemsCsv } from "~/mail/items-csv.server";
import { everyPieceOf } from "~/mail/piece-filter";
import { parseChosen, parsePieceFilter } from "~/mail/piece-filter.server";
import { requireViewer } from "~/people/viewer.server";
import { findReader } from "~/platform/http/file-stream.server";
import { replyFile } from "~/platform/http/replies.server";

/** The tab's filter as a file: all its pieces, not one page, or those that were chosen (`item`). */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request);
  const { searchParams } = new URL(request.url);
  const chosen = parseChosen(searchParams);
  const filter = parsePieceFilter(searchParams, searchParams.get("user_id") ?? "");
  const wanted = chosen.length > 0 ? { ...everyPieceOf(filter.userId), ids: chosen } : filter;
  const file = await streamMailItemsCsv(wanted, viewer, findReader(request, context));
  return replyFile(file, "text/csv", "mail-items.csv");
}
