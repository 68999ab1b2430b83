import { readPartsFromReplica } from "~/platform/database/database.server";
import { writeCsvLine } from "~/platform/http/csv";
import { streamFile } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { type ResponseRow, serializeStoredResponse } from "../response-row.server";
import type { ResponseFilter } from "../stored-response";
import { loadAllResponses } from "./export-sql.server";

const CSV_HEADER = [
  "id",
  "created_at",
  "user_id",
  "user",
  "method",
  "path",
  "category",
  "preset",
  "status_code",
  "duration_ms",
  "tags",
  "cancelled_at",
  "cancellation_reason",
  "send_id",
  "mode",
  "addressee",
];
/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** A file of responses. */
interface Format {
  head: string;
  writeLine(row: ResponseRow): string;
  bodies: boolean;
}

/** One line per response, without bodies. */
export const CSV: Format = {
  head: BYTE_ORDER_MARK + writeCsvLine(CSV_HEADER),
  writeLine: writeCsvRow,
  bodies: false,
};

/** One JSON object per line, as in `data` of `GET /api/responses/:id`. */
export const NDJSON: Format = {
  head: "",
  writeLine: (row) => `${serializeStoredResponse(row)}\n`,
  bodies: true,
};

/**
 * The responses of a filter as a file that is written while it is downloaded, with few rows in memory at a time. If
 * the database fails during it, the stream breaks off, so that no one takes half a file for a whole one.
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

function writeCsvRow(row: ResponseRow): string {
  return writeCsvLine([
    row.id,
    row.created_at,
    row.user_id,
    row.user_display_name,
    row.method,
    row.path,
    row.endpoint_category,
    row.endpoint_preset,
    row.status_code,
    row.duration_ms,
    row.tags.join(", "),
    row.cancelled_at,
    row.cancellation_reason,
    row.send_id,
    row.mode,
    row.addressee,
  ]);
}
