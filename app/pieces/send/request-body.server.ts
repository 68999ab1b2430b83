import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { formatInteger } from "~/platform/format-integer";

/**
 * Loads the request as it was sent, on its own because it may be large. After a day its files are replaced by their
 * sizes.
 */
export async function loadRequestBody(db: Db, id: string): Promise<string> {
  const rows = await db.$queryRaw<
    { body: string }[]
  >`SELECT request_body AS body FROM sends WHERE id = ${id}`;
  return rows[0]?.body ?? "";
}

/** True when nothing of a request is left: the personal data of its piece was erased or has expired. */
export function isErasedRequest(body: string): boolean {
  return body === "" || body === "{}";
}

/** At this age no send is repeated, so the bytes of its request are not needed. */
const NEEDED_HOURS = 25;

/**
 * Replaces the files in requests by their sizes: a day after they were sent, or once a list's piece is settled,
 * because all pieces of a list have the same files.
 */
export const reduceRequests: BackgroundTask<{ id: string; body: string }> = {
  name: "reduce_requests",
  batchSize: 20,
  atOnce: 1,
  claim: (limit) =>
    withDatabase(
      (db) => db.$queryRaw<{ id: string; body: string }[]>`
        SELECT id, request_body AS body FROM sends
        WHERE reduced_at IS NULL AND (created_at < now() - ${NEEDED_HOURS}::int * interval '1 hour'
          OR (credit_reservation_id IS NOT NULL AND settled_at IS NOT NULL))
        ORDER BY created_at LIMIT ${limit}::int`,
    ),
  work: ({ id, body }) =>
    withDatabase(
      (db) => db.$executeRaw`
        UPDATE sends SET request_body = ${reduceFiles(body)}, reduced_at = now() WHERE id = ${id} AND reduced_at IS NULL`,
    ),
};

/** Replaces each base64 file in a request by its size. */
export function reduceFiles(body: string): string {
  return body.replace(
    /[A-Za-z0-9+/=%]{1000,}/g,
    (file) => `[${formatInteger(file.length)} characters of a file]`,
  );
}
