import type { MailType } from "~/pieces/mail-type";
import { STATUS_WORDS } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";

/** Counting goes no further, so that a long list costs no more than a short one. */
const COUNTED = 1_000;

interface Count {
  status: string;
  count: number;
  /** There are more than were counted. */
  more: boolean;
}

/**
 * How many of a user's items of a type stand at each known status, in the order a piece has them; those without any
 * stay out. Each is counted by its index, to 1,000 at most. Fails as the database does.
 */
export async function countStatuses({
  userId,
  type,
}: {
  userId: string;
  type: MailType;
}): Promise<Outcome<Count[]>> {
  const words = [...STATUS_WORDS];
  const read = await withDatabase(
    (db) => db.$queryRaw<{ status: string; count: number }[]>`
      SELECT w.status, c.count FROM unnest(${words}::text[]) WITH ORDINALITY AS w(status, place)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count FROM (
          SELECT 1 FROM mail_items i WHERE i.user_id = ${userId} AND i.type = ${type} AND i.status = w.status
          LIMIT ${COUNTED + 1}::int
        ) found
      ) c
      WHERE c.count > 0 ORDER BY w.place`,
  );
  if (!read.ok) return read;
  return succeed(
    read.value.map(({ status, count }) => ({
      status,
      count: Math.min(count, COUNTED),
      more: count > COUNTED,
    })),
  );
}
