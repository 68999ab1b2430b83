import { loadList } from "~/bulk/list-record.server";
import { streamResult } from "~/bulk/page/result-csv.server";
import { requireValue } from "~/platform/http/replies.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads the outcome of each row of a list. */
export const loader = fileLoader("text/csv", "list-result.csv", async ({ id }) =>
  streamResult(requireValue(await loadList(id))),
);
