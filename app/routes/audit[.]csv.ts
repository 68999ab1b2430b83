import { streamAudit } from "~/audit/audit-view.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads all rows of the log's filter. */
export const loader = fileLoader("text/csv", "audit-log.csv", ({ query }) => streamAudit(query));
