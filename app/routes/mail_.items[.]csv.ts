import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamMailItemsCsv } from "~/mail/items-csv.server";
import { everyPieceOf, type PieceFilter } from "~/mail/piece-filter";
import { findRecipientsPieces, NONE_CHOSEN, parseChosen, parsePieceFilter } from "~/mail/piece-filter.server";
import { requireViewer } from "~/people/viewer.server";
import { redirectWithFlash } from "~/platform/http/flash.server";
import { replyFile } from "~/platform/http/replies.server";
import { type Outcome, succeed } from "~/platform/outcome";

/** Downloads all pieces of the tab's filter, or the chosen ones (`item`). */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request);
  const { searchParams } = new URL(request.url);
  const chosen = parseChosen(searchParams);
  // The tab's button without JavaScript when nothing is chosen.
  if (chosen.length === 0 && !searchParams.has("user_id")) {
    return redirectWithFlash("/mail", { tone: "bad", message: NONE_CHOSEN });
  }
  const filter = parsePieceFilter(searchParams, searchParams.get("user_id") ?? "");
  const wanted: Outcome<PieceFilter> =
    chosen.length > 0
      ? succeed({ ...everyPieceOf(filter.userId), ids: chosen })
      : await findRecipientsPieces(filter);
  const file = wanted.ok ? await streamMailItemsCsv(wanted.value, viewer) : wanted;
  return replyFile(file, "text/csv", "mail-items.csv");
}
