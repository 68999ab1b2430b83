import { STATUS_WORDS } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { Prisma } from "../../prisma/client/client";
import { CHECKING, NEEDS_DECISION, type PieceFilter } from "./piece-filter";
import { countPieces, selectStatuses } from "./piece-sql.server";

/** Counting stops here, so that a long list costs no more than a short one. */
const MAX_COUNT = 1_000;
/** All pieces of a list are counted, which has no more rows. */
const MAX_OF_LIST = 50_000;
const STATUSES: readonly string[] = [CHECKING, NEEDS_DECISION, ...STATUS_WORDS];

/** How many pieces have a status; `status` is null for all pieces. */
interface Count {
  status: string | null;
  count: number;
  /** More than `count`. */
  more: boolean;
}

/**
 * How many pieces of a filter there are, first in all and then for each known status, whatever status it asks for; statuses
 * without pieces are left out. Counts up to 1,000 each, by index. Fails as the database does.
 */
export async function countStatuses(filter: PieceFilter): Promise<Outcome<Count[]>> {
  if (filter.search !== null || filter.list !== null) return countFound(filter);
  const statuses = STATUSES.filter((status) => filter.tests || status !== "test");
  const counts = [null, ...statuses].map((status) => countPieces({ ...filter, status }, MAX_COUNT + 1));
  const loaded = await withDatabase(
    (db) => db.$queryRaw<{ counts: number[] }[]>`SELECT ARRAY[${Prisma.join(counts)}] AS counts`,
  );
  if (!loaded.ok) return loaded;
  const [{ counts: found } = { counts: [] }] = loaded.value;
  return succeed(
    [null, ...statuses].flatMap((status, place) => {
      const count = found[place] ?? 0;
      if (count === 0 && status !== null) return [];
      return [{ status, count: Math.min(count, MAX_COUNT), more: count > MAX_COUNT }];
    }),
  );
}

/** Counts the first 1,000 of each type that a search finds, and all pieces of a list. */
async function countFound(filter: PieceFilter): Promise<Outcome<Count[]>> {
  const most = filter.list === null ? MAX_COUNT : MAX_OF_LIST;
  const loaded = await withDatabase(
    (db) => db.$queryRaw<{ status: string; count: number }[]>`
      SELECT status, count(*)::int AS count FROM (${selectStatuses({ ...filter, status: null }, most + 1)}) p
      GROUP BY status`,
  );
  if (!loaded.ok) return loaded;
  const total = loaded.value.reduce((sum, { count }) => sum + count, 0);
  const more = total > most;
  const counts = loaded.value
    .map((counted) => ({ ...counted, more }))
    .sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  return succeed([{ status: null, count: Math.min(total, most), more }, ...counts]);
}
