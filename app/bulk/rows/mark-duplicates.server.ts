import type { MailType } from "~/pieces/mail-type";
import { selectCameBack } from "~/pieces/returned-mail.server";
import { MAKES_DUPLICATES } from "~/pieces/send/duplicates.server";
import type { Db } from "~/platform/database/client";
import { formatInteger } from "~/platform/format-integer";
import { formatCameBack } from "~/print/messages";
import { formatDate } from "~/ui/moment";
import { Prisma } from "../../../prisma/client/client";
import type { ProblemCode } from "../bulk-list";

/** SQL condition: a person allowed this problem in row `r`. Permissions of earlier versions have no codes and cover all. */
export function isAllowed(code: ProblemCode): Prisma.Sql {
  return Prisma.sql`(r.allowed AND (r.allowed_codes = '{}' OR ${code} = ANY(r.allowed_codes)))`;
}

/**
 * Marks ready rows that duplicate an earlier row, or a piece of the same type that was or may be mailed to the same address in the last
 * seven days, and addresses that mail was returned from. Skips allowed rows.
 * @param number of the only row to check; null for all
 */
export async function markDuplicates(db: Db, listId: string, number: number | null = null): Promise<void> {
  const same = await db.$queryRaw<{ number: number; first: number }[]>`
    SELECT number, first FROM (
      SELECT number, state, ${isAllowed("duplicate")} AS is_allowed, min(number) OVER (PARTITION BY address_key) AS first FROM bulk_rows r
      WHERE list_id = ${listId} AND address_key IS NOT NULL AND state IN ('ready', 'sending', 'checking', 'sent')
    ) AS rows WHERE number <> first AND state = 'ready' AND NOT is_allowed AND (${number}::int IS NULL OR number = ${number}::int)`;
  await mark(db, listId, "duplicate", same, ({ first }) => {
    return `Duplicate: the same name and address as row ${formatInteger(first)}.`;
  });
  const before = await db.$queryRaw<{ number: number; at: Date; mailType: "letter" | "postcard" }[]>`
    SELECT r.number, max(s.created_at) AS at, l.mail_type AS "mailType" FROM bulk_rows r JOIN bulk_lists l ON l.id = r.list_id
      JOIN sends s ON s.recipient_key = r.address_key AND s.mail_type = l.mail_type
    WHERE r.list_id = ${listId} AND r.state = 'ready' AND NOT ${isAllowed("duplicate")}
      AND (${number}::int IS NULL OR r.number = ${number}::int)
      AND ${MAKES_DUPLICATES}
    GROUP BY r.number, l.mail_type`;
  await mark(db, listId, "duplicate", before, ({ mailType, at }) => formatSentBefore(mailType, at));
  // In the order of the index of addresses, so that each of its pages is read once.
  const returned = await db.$queryRaw<{ number: number; at: Date }[]>`
    SELECT r.number, returned.at FROM (
      SELECT number, address_key FROM bulk_rows r
      WHERE list_id = ${listId} AND state = 'ready' AND NOT ${isAllowed("returned")}
        AND (${number}::int IS NULL OR number = ${number}::int) ORDER BY address_key OFFSET 0
    ) r CROSS JOIN LATERAL (${selectCameBack(Prisma.sql`r.address_key`)}) AS returned WHERE returned.at IS NOT NULL`;
  await mark(db, listId, "returned", returned, ({ at }) => formatCameBack(at));
}

async function mark<Row extends { number: number }>(
  db: Db,
  listId: string,
  code: ProblemCode,
  rows: readonly Row[],
  formatProblem: (row: Row) => string,
): Promise<void> {
  if (rows.length === 0) return;
  await db.$executeRaw`
    UPDATE bulk_rows r SET state = 'problem', problem = m.problem, problem_code = ${code}
    FROM unnest(${rows.map((row) => row.number)}::int[], ${rows.map(formatProblem)}::text[]) AS m(number, problem)
    WHERE r.list_id = ${listId} AND r.number = m.number AND r.state = 'ready'`;
}

export function formatSentBefore(mailType: MailType, at: Date): string {
  return `Duplicate: a ${mailType} was sent to this name and address on ${formatDate(at)}.`;
}
