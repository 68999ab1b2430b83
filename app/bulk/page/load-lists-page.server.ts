import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { listLists } from "../list-record.server";
import type { ListEntry } from "./list-view";

const SHOWN = 100;

/** The newest lists of everybody. Fails as the database does. */
export function loadListsPage(now: Date): Promise<Outcome<ListEntry[]>> {
  return withDatabase(async (db) => {
    const lists = await listLists(db, SHOWN);
    const ids = lists.map(({ id }) => id);
    const counts = await db.$queryRaw<{ id: string; rows: number; sent: number }[]>`
      SELECT list_id AS id, count(*) FILTER (WHERE state <> 'left_out')::int AS rows,
        count(*) FILTER (WHERE state = 'sent')::int AS sent
      FROM bulk_rows WHERE list_id = ANY(${ids}::text[]) GROUP BY list_id`;
    const people = await db.$queryRaw<{ id: string; name: string }[]>`
      SELECT id, display_name AS name FROM users WHERE id = ANY(${lists.map(({ actorId }) => actorId)}::text[])`;
    return lists.map((list) => {
      const counted = counts.find(({ id }) => id === list.id);
      return {
        id: list.id,
        name: list.name,
        mailType: list.mailType,
        state: list.state,
        by: people.find(({ id }) => id === list.actorId)?.name ?? list.actorId,
        createdAt: formatMoment(list.createdAt, now),
        rows: counted?.rows ?? 0,
        sent: counted?.sent ?? 0,
      };
    });
  });
}
