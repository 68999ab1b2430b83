import type { Db } from "~/platform/database/client";
import { readLong } from "~/platform/database/database.server";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";
import type { Finding } from "./verify-ledger.server";

/** The last ledger row of an account. Kept outside the database, it proves later that no row up to it was changed. */
export type LedgerHead = { id: bigint; hash: string; userId: string };

export function loadHeads(db: PrismaClient): Promise<LedgerHead[]> {
  return readLong<LedgerHead>(
    db,
    Prisma.sql`
    SELECT DISTINCT ON (user_id) id, hash, user_id AS "userId" FROM credit_transactions ORDER BY user_id, id DESC`,
  );
}

/** Checks that the ledger still has the kept heads. `verifyLedger` checks the chain itself. */
export async function verifyHeads(db: Db, heads: LedgerHead[]): Promise<Finding> {
  const rows = await db.$queryRaw<{ problem: string }[]>`
    SELECT format('row %s of user %s is %s', k.id, k.user_id,
      CASE WHEN t.id IS NULL THEN 'gone' ELSE 'not the one that was kept' END) AS problem
    FROM unnest(${heads.map(({ id }) => id)}::bigint[], ${heads.map(({ hash }) => hash)}::text[],
      ${heads.map(({ userId }) => userId)}::text[]) AS k (id, hash, user_id)
      LEFT JOIN credit_transactions t ON t.id = k.id
    WHERE (t.hash, t.user_id) IS DISTINCT FROM (k.hash, k.user_id) ORDER BY k.id`;
  return {
    id: "heads",
    rule: "Each row that was kept as a head is still in the ledger.",
    ok: rows.length === 0,
    checked: heads.length,
    broken: rows.length,
    problems: rows.map(({ problem }) => problem),
  };
}

/** One line each: row, hash, user. */
export function formatHeads(heads: LedgerHead[]): string {
  return heads.map(({ id, hash, userId }) => `${id} ${hash} ${userId}\n`).join("");
}

/** Parses the output of {@link formatHeads}; null when a line is something else. */
export function parseHeads(text: string): LedgerHead[] | null {
  const heads: LedgerHead[] = [];
  for (const line of text.split(/\r?\n/).filter((each) => each !== "")) {
    const [, id, hash, userId] = /^(\d{1,18}) ([0-9a-f]{64}) (.+)$/.exec(line) ?? [];
    if (!id || !hash || !userId) return null;
    heads.push({ id: BigInt(id), hash, userId });
  }
  return heads;
}
