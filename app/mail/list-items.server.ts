import { isViewerOrStored, NO_SUCH_USER } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { MailItem } from "~/pieces/mail-item";
import { IS_LIST_OF_SEND } from "~/pieces/send/find-send.server";
import type { PieceState } from "~/pieces/states";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { cutPage, type Page, type PageCursor } from "~/platform/page-cursor";
import type { Prisma } from "../../prisma/client/client";
import type { PieceFilter } from "./piece-filter";
import { selectFoundInOrder, selectNewest } from "./piece-sql.server";

/** A listed piece: a mail item, or live mail with an unknown outcome. */
export interface ListedPiece extends MailItem {
  /** "Portland 97205" */
  place: string | null;
  /** Null for a test. */
  state: PieceState | null;
  /** Credits that it costs, held until its outcome is known. */
  cost: number;
  /** True while an alarm about it is open. */
  hasAlarm: boolean;
  /** The name of its user. */
  userName: string;
  username: string;
  /** Name of the list that sent it; null when it was sent alone. */
  listName: string | null;
}

const MAIL_PAGE_ROWS = 50;

/**
 * Lists the letters and postcards of a user, or of all, newest first, a page at a time. Fails with `not_found` for an
 * unknown user, `not_configured` or `database_unavailable`.
 */
export async function listMailItems(
  query: { filter: PieceFilter; cursor: PageCursor | null; limit?: number | undefined },
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Page<ListedPiece>>> {
  const { filter, cursor, limit = MAIL_PAGE_ROWS } = query;
  return withDatabase(async (db) => {
    if (filter.userId !== null && !(await isViewerOrStored(db, filter.userId, viewer))) return NO_SUCH_USER;
    const inOrder = selectFoundInOrder(filter, cursor, limit + 1);
    const rows = inOrder ? await loadRows(db, inOrder) : [];
    const isPage = rows.length > limit;
    return cutPage(isPage ? rows : await loadRows(db, selectNewest(filter, cursor, limit + 1)), limit);
  });
}

/** @param source a query for the wanted pieces */
async function loadRows(db: Db, source: Prisma.Sql): Promise<ListedPiece[]> {
  const rows = await db.$queryRaw<ListedPiece[]>`
      SELECT i.id, i.user_id AS "userId", i.type, i.preset, i.method, i.path, i.provider_id AS "mailItemId",
        i.addressee, i.place, i.status, i.status_at AS "statusAt", i.test AS "isTest", i.is_cancelled AS "isCancelled",
        coalesce(s.state = 'cancelling', false) AS "isCancelling", i.cancelled_at AS "cancelledAt",
        i.cancellation_reason AS "cancellationReason", coalesce(s.charged, 0) AS charged, coalesce(s.cost, 0) AS cost,
        state, i.created_at AS "createdAt", EXISTS (
          SELECT 1 FROM alarms a WHERE a.subject_type = 'piece' AND a.subject_id = i.id AND a.closed_at IS NULL
        ) AS "hasAlarm", u.display_name AS "userName", u.username, (
          SELECT l.name FROM bulk_lists l WHERE ${IS_LIST_OF_SEND}
        ) AS "listName"
      FROM (${source}) i JOIN users u ON u.id = i.user_id LEFT JOIN sends s ON s.id = i.send_id
      ORDER BY i.created_at DESC, i.id DESC`;
  // A test has no send, hence no state.
  return rows.map((row) => (row.isTest ? { ...row, state: null } : row));
}
