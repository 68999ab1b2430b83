import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import type { ListEntry } from "./list-view";

const SHOWN = 100;

/** Loads the newest lists of all users. Fails as the database does. */
export function loadListsPage(now: Date): Promise<Outcome<ListEntry[]>> {
  return withDatabase(async (db) => {
    const lists = await db.$queryRaw<(Omit<ListEntry, "createdAt"> & { createdAt: Date })[]>`
      SELECT l.id, l.name, l.mail_type AS "mailType", l.state, coalesce(u.display_name, l.actor_id) AS by,
        l.created_at AS "createdAt", r.rows, r.sent
      FROM (SELECT * FROM bulk_lists ORDER BY created_at DESC, id LIMIT ${SHOWN}::int) l
        LEFT JOIN users u ON u.id = l.actor_id
        CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state <> 'left_out')::int AS rows,
          count(*) FILTER (WHERE state = 'sent')::int AS sent FROM bulk_rows WHERE list_id = l.id) r
      ORDER BY l.created_at DESC, l.id`;
    return lists.map((list) => ({ ...list, createdAt: formatMoment(list.createdAt, now) }));
  });
}
