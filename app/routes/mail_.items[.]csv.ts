import { streamMailItemsCsv } from "~/mail/items-csv.server";
import { everyPieceOf, type PieceFilter } from "~/mail/piece-filter";
import { findRecipientsPieces, NONE_CHOSEN, parseChosen, parsePieceFilter } from "~/mail/piece-filter.server";
import { redirectWithFlash } from "~/platform/http/flash.server";
import { replyFile } from "~/platform/http/replies.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { jsonRoute } from "~/route-handlers.server";

/** Downloads all pieces of the tab's filter, or the chosen ones (`item`). */
export const loader = jsonRoute(async ({ viewer, query }) => {
  const chosen = parseChosen(query);
  // The tab's button, which JavaScript shows only when something is chosen.
  if (chosen.length === 0 && query.has("chosen")) {
    query.delete("chosen");
    return redirectWithFlash(`/mail?${query}`, { tone: "bad", message: NONE_CHOSEN });
  }
  const filter = parsePieceFilter(query, query.get("user_id") ?? "");
  const wanted: Outcome<PieceFilter> =
    chosen.length > 0 ? succeed({ ...everyPieceOf(null), ids: chosen }) : await findRecipientsPieces(filter);
  const file = wanted.ok ? await streamMailItemsCsv(wanted.value, viewer) : wanted;
  return replyFile(file, "text/csv", "mail-items.csv");
});
