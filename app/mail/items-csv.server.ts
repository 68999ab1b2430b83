import type { Viewer } from "~/people/viewer.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import type { FileReader } from "~/platform/http/file-stream.server";
import type { Outcome } from "~/platform/outcome";
import { loadAllPages } from "~/platform/page-cursor";
import { listMailItems, type MailItemQuery } from "./list-items.server";

const BATCH_ROWS = 1_000;
const HEADER = [
  "id",
  "created_at",
  "type",
  "preset",
  "mail_item_id",
  "addressee",
  "status",
  "status_at",
  "test",
  "cancelled_at",
  "cancellation_reason",
  "credits_charged",
];

/**
 * All mail items of a user, type and status as a CSV file. Fails as `listMailItems` does, before anything is written.
 */
export function streamMailItemsCsv(
  query: Pick<MailItemQuery, "userId" | "type" | "status">,
  viewer: Pick<Viewer, "id">,
  reader: FileReader,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(
    HEADER,
    loadAllPages((cursor) => listMailItems({ ...query, cursor, limit: BATCH_ROWS }, viewer)),
    (item) => [
      item.id,
      item.createdAt.toISOString(),
      item.type,
      item.preset,
      item.mailItemId,
      item.addressee,
      item.status,
      item.statusAt.toISOString(),
      item.isTest ? "test" : "live",
      item.cancelledAt?.toISOString() ?? null,
      item.cancellationReason,
      item.charged,
    ],
    reader,
  );
}
