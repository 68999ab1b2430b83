import type { Viewer } from "~/people/viewer.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import type { Outcome } from "~/platform/outcome";
import { loadAllPages } from "~/platform/page-cursor";
import { listMailRecipients, type MailRecipientQuery } from "./list-recipients.server";

const BATCH_ROWS = 1_000;
const HEADER = ["id", "created_at", "recipient_id", "name", "email", "address", "place", "user"];

/** All recipients of a query as a CSV file. Fails as `listMailRecipients` does, before anything is written. */
export function streamMailRecipientsCsv(
  query: Pick<MailRecipientQuery, "userId" | "search">,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(
    HEADER,
    loadAllPages((cursor) => listMailRecipients({ ...query, cursor, limit: BATCH_ROWS }, viewer)),
    ({ id, createdAt, recipientId, name, email, isVerified, place, userName }) => [
      id,
      createdAt,
      recipientId,
      name,
      email,
      isVerified ? "verified" : "unverified",
      place,
      userName,
    ],
  );
}
