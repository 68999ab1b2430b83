import { streamSpendingCsv } from "~/credits/spending/spending-csv.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads the months of the Spending view. */
export const loader = fileLoader("text/csv", "spending.csv", ({ query, viewer }) =>
  streamSpendingCsv(query, viewer),
);
