import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { streamColumns } from "~/platform/http/csv-stream.server";
import { succeed } from "~/platform/outcome";
import { loadAllPages, type PageCursor } from "~/platform/page-cursor";
import { formatPlace, parseSentBody, selectText } from "~/recipients/addressee.server";
import { type ListedPiece, listMailItems } from "./list-items.server";
import type { PieceFilter } from "./piece-filter";

const BATCH_ROWS = 1_000;
const COLUMNS = {
  id: (item) => item.id,
  created_at: (item) => item.createdAt,
  type: (item) => item.type,
  preset: (item) => item.preset,
  mail_item_id: (item) => item.mailItemId,
  addressee: (item) => item.addressee,
  place: (item) => item.place,
  status: (item) => item.status,
  status_at: (item) => item.statusAt,
  test: (item) => (item.isTest ? "test" : "live"),
  cancelled_at: (item) => item.cancelledAt,
  cancellation_reason: (item) => item.cancellationReason,
  credits_charged: (item) => item.charged,
  credits_refunded: (item) => (item.isCancelled ? item.charged : 0),
  user: (item) => item.username,
  address: (item) => item.address,
  list: (item) => item.listName,
} satisfies Record<string, (item: AddressedPiece) => string | number | Date | null>;

/**
 * Streams all pieces of a filter as a CSV file, with the addresses in their requests. Fails as `listMailItems` does,
 * before anything is written.
 */
export function streamMailItemsCsv(filter: PieceFilter, viewer: Pick<Viewer, "id">) {
  return streamColumns(
    COLUMNS,
    loadAllPages((cursor) => loadBatch(filter, cursor, viewer)),
  );
}

type AddressedPiece = ListedPiece & { address: string | null };

async function loadBatch(filter: PieceFilter, cursor: PageCursor | null, viewer: Pick<Viewer, "id">) {
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
