import { withDatabase } from "~/platform/database/database.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import { loadBatches } from "~/platform/page-cursor";
import type { BulkList } from "../list-record.server";

const BATCH_ROWS = 1_000;
const COLUMNS = "row,row_state,problem,piece_id,piece_state,status,provider_id,credits_charged".split(",");

/** A row with the values of {@link COLUMNS}. */
interface Result extends Record<string, string | number | null> {
  row: number;
  cells: string;
}

/** Streams all rows of a list with their outcome as CSV. Fails before anything is written. */
export function streamResult({ id, columns }: Pick<BulkList, "id" | "columns">) {
  const batches = loadBatches<Result>((last) =>
    withDatabase(
      (db) => db.$queryRaw<Result[]>`
        SELECT r.number AS row, r.state AS row_state, r.problem, r.send_id AS piece_id, p.state AS piece_state, i.status,
          p.provider_id, p.charged AS credits_charged, r.cells
        FROM bulk_rows r
          LEFT JOIN LATERAL (SELECT state, provider_id, charged FROM sends WHERE id = r.send_id) p ON true
          LEFT JOIN mail_items i ON i.send_id = r.send_id
        WHERE r.list_id = ${id} AND r.number > ${last?.row ?? 0}::int ORDER BY r.number LIMIT ${BATCH_ROWS}::int`,
    ),
  );
  return streamCsv([...COLUMNS, ...columns], batches, (row) => [
    ...COLUMNS.map((name) => row[name] ?? null),
    ...(JSON.parse(row.cells) as string[]),
  ]);
}
