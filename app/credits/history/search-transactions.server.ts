import { NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { Prisma } from "../../../prisma/client/client";

/** How a text is searched in the ledger, whose rows are too many to be read one by one for each search. */

/** As every row of a piece has them: what consists of these is found among the newest rows. */
const PIECE_TEXTS = ["letter mailed", "letter cancelled", "postcard mailed", "postcard cancelled"];
const MAX_IDS = 5;

/** Whether a row `t` has the text in its description or reference. */
export function hasText(text: string): Prisma.Sql {
  return Prisma.sql`
    strpos(lower(t.description || ' ' || coalesce(t.reference_response_id, '')), lower(${text})) > 0`;
}

/**
 * The ids of the rows that may have a text, as a condition on `t`: any of the newest ones of the filter, and of all
 * others adjustments by an index of their reasons, rows of a piece by its id or mail ID, and the few others.
 * @param rows where the filter's rows are, as `t`
 * @param conditions the filter without the text
 */
export function mayHaveText(text: string, rows: Prisma.Sql, conditions: readonly Prisma.Sql[]): Prisma.Sql {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const ids = text.split(/\s+/).filter((word) => /\d/.test(word));
  // As an array, because PostgreSQL knows nothing of how rare a text is, and would read the whole ledger for it.
  return Prisma.sql`t.id = ANY (ARRAY(
    (SELECT t.id FROM ${rows} WHERE ${Prisma.join([...conditions], " AND ")}
      ORDER BY t.id DESC LIMIT ${NEWEST_ROWS}::int)
    UNION ALL
    SELECT a.id FROM credit_transactions a
    WHERE a.cause = 'adjustment' AND lower(a.description) LIKE lower(${pattern})
    UNION ALL
    SELECT o.id FROM credit_transactions o WHERE o.cause IN ('checkout', 'review', 'reservation', 'reservation_end')
    UNION ALL
    SELECT p.id FROM credit_transactions p WHERE p.reference_response_id IN (
      SELECT i.id FROM mail_items i WHERE i.provider_id = ANY(${ids.slice(0, MAX_IDS)}::text[])
      UNION ALL SELECT unnest(${ids.slice(0, MAX_IDS)}::text[]))
  ))`;
}

/** Whether a text stands in the rows of so many pieces that reading from the newest row on finds it soon. */
export function isInMostRows(text: string): boolean {
  const words = text.trim().toLowerCase();
  return PIECE_TEXTS.some((common) => common.includes(words));
}
