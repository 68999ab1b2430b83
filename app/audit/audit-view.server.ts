import { withDatabase } from "~/platform/database/database.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import type { ValueOf } from "~/platform/outcome";
import { cutNumberedPage, loadBatches, parseRowId } from "~/platform/page-cursor";
import { formatMoment } from "~/ui/moment";
import { type AuditFilter, listAuditEvents, type StoredAuditEvent } from "./audit-record.server";
import { AUDIT_OUTCOMES, AUDIT_ROOMS, auditAddress } from "./audit-view";

const PAGE_ROWS = 50;
const BATCH_ROWS = 1_000;
const HEADER = "id at actor_id actor token address what subject outcome request_id".split(" ");

export type AuditView = ValueOf<typeof loadAudit>;

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

export function streamAudit(query: URLSearchParams) {
  const filter = parseFilter(query);
  const batches = loadBatches<StoredAuditEvent>((last) =>
    withDatabase((db) => listAuditEvents(db, filter, last?.id ?? null, BATCH_ROWS)),
  );
  return streamCsv(HEADER, batches, (row) => [
    ...[row.id, row.at, row.actorId, row.actorName, row.token, row.address],
    ...[row.what, row.subject, row.outcome, row.requestId],
  ]);
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
