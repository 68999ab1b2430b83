import type { MailType } from "~/pieces/mail-type";
import { STATUS_WORDS } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";

/** Counting stops here, so that a long list costs no more than a short one. */
const MAX_COUNT = 1_000;

interface Count {
  status: string;
  count: number;
  /** More than `count`. */
  more: boolean;
}

/**
 * How many of a user's items of a type have each known status, in the usual order; statuses without items are left out.
 * Counts up to 1,000 per status, by index. Fails as the database does.
 */
export async function countStatuses({
  userId,
  type,
}: {
  userId: string;
  type: MailType;
}): Promise<Outcome<Count[]>> {
  const words = [...STATUS_WORDS];
  const loaded = await withDatabase(
    (db) => db.$queryRaw<{ status: string; count: number }[]>`
      SELECT w.status, c.count FROM unnest(${words}::text[]) WITH ORDINALITY AS w(status, place)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count FROM (
          SELECT 1 FROM mail_items i WHERE i.user_id = ${userId} AND i.type = ${type} AND i.status = w.status
          LIMIT ${MAX_COUNT + 1}::int
        ) found
      ) c
      WHERE c.count > 0 ORDER BY w.place`,
  );
  if (!loaded.ok) return loaded;
  return succeed(
    loaded.value.map(({ status, count }) => ({
      status,
      count: Math.min(count, MAX_COUNT),
      more: count > MAX_COUNT,
    })),
  );
}
