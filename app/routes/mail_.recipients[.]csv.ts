import { parsePieceFilter } from "~/mail/piece-filter.server";
import { streamMailRecipientsCsv } from "~/recipients/list-recipients.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads all recipients of the tab. */
export const loader = fileLoader("text/csv", "recipients.csv", ({ viewer, query }) => {
  const { userId, search } = parsePieceFilter(query, query.get("user_id") ?? "");
  return streamMailRecipientsCsv({ userId, search }, viewer);
});
