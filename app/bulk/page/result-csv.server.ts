import type { PieceState } from "~/pieces/states";
import { withDatabase } from "~/platform/database/database.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import type { Outcome } from "~/platform/outcome";
import type { BulkList, RowState } from "../bulk-list";

const BATCH_ROWS = 1_000;
const COLUMNS = "row,row_state,problem,piece_id,piece_state,status,provider_id,credits_charged".split(",");

interface Result {
  number: number;
  cells: string;
  state: RowState;
  problem: string | null;
  sendId: string | null;
  pieceState: PieceState | null;
  status: string | null;
  providerId: string | null;
  charged: number | null;
}

/** Streams all rows of a list with their outcome as CSV. Fails as the database does, before anything is written. */
export function streamResult({ id, columns }: Pick<BulkList, "id" | "columns">) {
  return streamCsv([...COLUMNS, ...columns], loadResults(id), (row) => [
    row.number,
    row.state,
    row.problem,
    row.sendId,
    row.pieceState,
    row.status,
    row.providerId,
    row.charged,
    ...(JSON.parse(row.cells) as string[]),
  ]);
}

async function* loadResults(id: string): AsyncGenerator<Outcome<Result[]>> {
  for (let after = 0; ; ) {
    const from = after;
    const rows = await withDatabase(
      (db) => db.$queryRaw<Result[]>`
        SELECT r.number, r.cells, r.state, r.problem, r.send_id AS "sendId", p.state AS "pieceState", i.status,
          p.provider_id AS "providerId", p.charged
        FROM bulk_rows r
          LEFT JOIN LATERAL (SELECT state, provider_id, charged FROM sends WHERE id = r.send_id) p ON true
          LEFT JOIN mail_items i ON i.send_id = r.send_id
        WHERE r.list_id = ${id} AND r.number > ${from}::int ORDER BY r.number LIMIT ${BATCH_ROWS}::int`,
    );
    yield rows;
    const last = rows.ok ? rows.value.at(-1) : undefined;
    if (!last) return;
    after = last.number;
  }
}
