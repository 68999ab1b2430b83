import { parseInlineRecipient } from "~/outside/mail-provider/recipient-fields";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { loadAllPages, type Page, type PageCursor } from "~/platform/page-cursor";
import { formatPlace, parseSentBody, selectText } from "~/recipients/addressee.server";
import { type ListedPiece, listMailItems } from "./list-items.server";
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
  "user",
  "address",
  "list",
];

/** All pieces of a filter as a CSV file, with the addresses in their requests. Fails as `listMailItems` does, before anything is written. */
export function streamMailItemsCsv(
  filter: PieceFilter,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(
    HEADER,
    loadAllPages((cursor) => loadBatch(filter, cursor, viewer)),
    (item) => [
      item.id,
      item.createdAt,
      item.type,
      item.preset,
      item.mailItemId,
      item.addressee,
      item.place,
      item.status,
      item.statusAt,
      item.isTest ? "test" : "live",
      item.cancelledAt,
      item.cancellationReason,
      item.charged,
      item.isCancelled ? item.charged : 0,
      item.username,
      item.address,
      item.listName,
    ],
  );
}

type AddressedPiece = ListedPiece & { address: string | null };

async function loadBatch(
  filter: PieceFilter,
  cursor: PageCursor | null,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Page<AddressedPiece>>> {
  const page = await listMailItems({ filter, cursor, limit: BATCH_ROWS }, viewer);
  if (!page.ok) return page;
  const ids = page.value.rows.map(({ id }) => id);
  // Files are cut out by the database: a thousand requests of one day may have gigabytes of them.
  const sent = await withDatabase(
    (db) => db.$queryRaw<{ id: string; body: string }[]>`
      SELECT id, regexp_replace(request_body, '[A-Za-z0-9+/=%]{200,}', '', 'g') AS body
      FROM sends WHERE id = ANY(${ids}::text[])`,
  );
  if (!sent.ok) return sent;
  const addresses = new Map(sent.value.map(({ id, body }) => [id, formatAddress(body)]));
  const rows = page.value.rows.map((row) => ({ ...row, address: addresses.get(row.id) ?? null }));
  return succeed({ ...page.value, rows });
}

/** Formats the address in a request on one line; null if it names a recipient by ID, or was erased. */
function formatAddress(body: string): string | null {
  const fields = parseInlineRecipient(parseSentBody(body));
  const lines = ["address1", "address2", "address3"].map((name) => selectText(fields, name));
  const region = selectText(fields, "county", "state");
  const parts = [...lines, formatPlace(fields), region, selectText(fields, "country")];
  return parts.filter(Boolean).join(", ") || null;
}
