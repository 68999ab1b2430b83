import type { Viewer } from "~/people/viewer.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import type { FileReader } from "~/platform/http/file-stream.server";
import type { Outcome } from "~/platform/outcome";
import { loadAllPages } from "~/platform/page-cursor";
import { listMailItems } from "./list-items.server";
import type { PieceFilter } from "./piece-filter";

const BATCH_ROWS = 1_000;
const HEADER = [
  "id",
  "created_at",
  "type",
  "preset",
  "mail_item_id",
  "addressee",
  "place",
  "status",
  "status_at",
  "test",
  "cancelled_at",
  "cancellation_reason",
  "credits_charged",
  "credits_refunded",
];

/** All pieces of a filter as a CSV file. Fails as `listMailItems` does, before anything is written. */
export function streamMailItemsCsv(
  filter: PieceFilter,
  viewer: Pick<Viewer, "id">,
  reader: FileReader,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(
    HEADER,
    loadAllPages((cursor) => listMailItems({ filter, cursor, limit: BATCH_ROWS }, viewer)),
    (item) => [
      item.id,
      item.createdAt.toISOString(),
      item.type,
      item.preset,
      item.mailItemId,
      item.addressee,
      item.place,
      item.status,
      item.statusAt.toISOString(),
      item.isTest ? "test" : "live",
      item.cancelledAt?.toISOString() ?? null,
      item.cancellationReason,
      item.charged,
      item.isCancelled ? item.charged : 0,
    ],
    reader,
  );
}
