import { withDatabase } from "~/platform/database/database.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { type AuditFilter, listAuditEvents, type StoredAuditEvent } from "./audit-record.server";
import { AUDIT_OUTCOMES, AUDIT_ROOMS, auditAddress } from "./audit-view";

const PAGE_ROWS = 50;
const BATCH_ROWS = 1_000;
const ID = /^\d{1,18}$/;
const HEADER = "id at actor_id actor token address what subject outcome request_id".split(" ");

export type AuditView = ValueOf<typeof loadAudit>;

/** Loads a page of the log. Fails as the database does. */
export async function loadAudit(query: URLSearchParams, now: Date) {
  const filter = parseFilter(query);
  const cursor = query.get("before") ?? "";
  const before = ID.test(cursor) ? cursor : null;
  const loaded = await withDatabase((db) => listAuditEvents(db, filter, before, PAGE_ROWS + 1));
  if (!loaded.ok) return loaded;
  const rows = loaded.value.slice(0, PAGE_ROWS);
  const older = loaded.value.length > PAGE_ROWS ? (rows.at(-1)?.id ?? null) : null;
  return succeed({
    filter,
    rows: rows.map(({ at, actorName, ...row }) => ({
      ...row,
      actor: actorName ?? row.actorId,
      at: formatMoment(at, now),
    })),
    // Addresses of the first and the next page; null: none.
    newest: before === null ? null : auditAddress(filter),
    older: older === null ? null : auditAddress(filter, older),
  });
}

/** Streams the log as CSV, newest first. Fails as the database does. */
export async function streamAudit(query: URLSearchParams): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(HEADER, readAll(parseFilter(query)), (row) => [
    ...[row.id, row.at, row.actorId, row.actorName, row.token, row.address],
    ...[row.what, row.subject, row.outcome, row.requestId],
  ]);
}

async function* readAll(filter: AuditFilter): AsyncGenerator<Outcome<StoredAuditEvent[]>> {
  for (let before: string | null = null; ; ) {
    const batch: Outcome<StoredAuditEvent[]> = await withDatabase((db) =>
      listAuditEvents(db, filter, before, BATCH_ROWS),
    );
    yield batch;
    if (!batch.ok || batch.value.length < BATCH_ROWS) return;
    before = batch.value.at(-1)?.id ?? null;
  }
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
