import { readPartsFromReplica } from "~/platform/database/database.server";
import { writeCsvLine } from "~/platform/http/csv";
import { streamFile } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { type ResponseRow, serializeStoredResponse } from "../response-row.server";
import type { ResponseFilter } from "../stored-response";
import { loadAllResponses } from "./export-sql.server";

const CSV_COLUMNS = {
  id: (row) => row.id,
  created_at: (row) => row.created_at,
  user_id: (row) => row.user_id,
  user: (row) => row.user_display_name,
  method: (row) => row.method,
  path: (row) => row.path,
  category: (row) => row.endpoint_category,
  preset: (row) => row.endpoint_preset,
  status_code: (row) => row.status_code,
  duration_ms: (row) => row.duration_ms,
  tags: (row) => row.tags.join(", "),
  cancelled_at: (row) => row.cancelled_at,
  cancellation_reason: (row) => row.cancellation_reason,
  send_id: (row) => row.send_id,
  mode: (row) => row.mode,
  addressee: (row) => row.addressee,
} satisfies Record<string, (row: ResponseRow) => string | number | Date | null>;
/** Marks the file as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = "\uFEFF";

/** A file of responses. */
interface Format {
  head: string;
  writeLine(row: ResponseRow): string;
  bodies: boolean;
}

/** One line per response, without bodies. */
export const CSV: Format = {
  head: BYTE_ORDER_MARK + writeCsvLine(Object.keys(CSV_COLUMNS)),
  writeLine: (row) => writeCsvLine(Object.values(CSV_COLUMNS).map((read) => read(row))),
  bodies: false,
};

/** One JSON object per line, as in `data` of `GET /api/responses/:id`. */
export const NDJSON: Format = {
  head: "",
  writeLine: (row) => `${serializeStoredResponse(row)}\n`,
  bodies: true,
};

/**
 * Streams the responses of a filter as a file, with few rows in memory at a time. If the database fails, the stream
 * breaks off, so that half a file is not taken for a whole one.
 * Fails as `listResponses` does, before anything is written.
 * @param bodies false leaves the bodies out
 */
export async function streamResponses(
  filter: ResponseFilter,
  format: Format,
  bodies = true,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const batches = readPartsFromReplica(loadAllResponses(filter, format.bodies && bodies));
  const first = await batches.next();
  if (first.value && !first.value.ok) return first.value;
  return succeed(streamFile(writeLines(format, first.value?.value ?? [], batches)));
}

async function* writeLines(
  { head, writeLine }: Format,
  first: ResponseRow[],
  rest: AsyncGenerator<Outcome<ResponseRow[]>>,
): AsyncGenerator<string> {
  yield head + first.map(writeLine).join("");
  for await (const batch of rest) {
    if (!batch.ok) throw new Error(batch.failure.message);
    yield batch.value.map(writeLine).join("");
  }
}
