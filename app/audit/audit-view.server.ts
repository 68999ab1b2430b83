import { withDatabase } from "~/platform/database/database.server";
import { streamColumns } from "~/platform/http/csv-stream.server";
import type { ValueOf } from "~/platform/outcome";
import { cutNumberedPage, loadBatches, parseRowId } from "~/platform/page-cursor";
import { formatMoment } from "~/ui/moment";
import { type AuditFilter, listAuditEvents, type StoredAuditEvent } from "./audit-record.server";
import { AUDIT_OUTCOMES, AUDIT_ROOMS, auditAddress } from "./audit-view";

const PAGE_ROWS = 50;
const BATCH_ROWS = 1_000;
const COLUMNS = {
  id: (row) => row.id,
  at: (row) => row.at,
  actor_id: (row) => row.actorId,
  actor: (row) => row.actorName,
  token: (row) => row.token,
  address: (row) => row.address,
  what: (row) => row.what,
  subject: (row) => row.subject,
  outcome: (row) => row.outcome,
  request_id: (row) => row.requestId,
} satisfies Record<string, (row: StoredAuditEvent) => string | Date | null>;

export type AuditView = ValueOf<typeof loadAudit>;

/** Loads a page of events. @param query the filter, and `before`: the last event of the previous page */
export function loadAudit(query: URLSearchParams, now: Date) {
  const filter = parseFilter(query);
  const before = parseRowId(query.get("before"));
  return withDatabase(async (db) => {
    const events = await listAuditEvents(db, filter, before, PAGE_ROWS + 1);
    const toAddress = (id: string | null) => auditAddress(filter, id);
    const { visible, ...pages } = cutNumberedPage(events, PAGE_ROWS, before, toAddress);
    const rows = visible.map(({ at, actorName, ...row }) => ({
      ...row,
      actor: actorName ?? row.actorId,
      at: formatMoment(at, now),
    }));
    return { filter, rows, ...pages };
  });
}

/** Streams all events of a filter as a CSV file. */
export function streamAudit(query: URLSearchParams) {
  const filter = parseFilter(query);
  const batches = loadBatches<StoredAuditEvent>((last) =>
    withDatabase((db) => listAuditEvents(db, filter, last?.id ?? null, BATCH_ROWS)),
  );
  return streamColumns(COLUMNS, batches);
}

/** Parses the filter. Unknown values do not filter. */
function parseFilter(query: URLSearchParams): AuditFilter {
  const choose = (name: string, choices: readonly string[]) =>
    choices.find((choice) => choice === query.get(name)) ?? null;
  return {
    actorId: query.get("who")?.slice(0, 300).replaceAll("\0", "") || null,
    room: choose("what", AUDIT_ROOMS),
    outcome: choose("outcome", AUDIT_OUTCOMES),
  };
}
