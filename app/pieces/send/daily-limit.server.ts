import { formatCredits } from "~/credits/format-credits";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/outcome";
import type { MailType } from "../mail-type";

type Spender = Pick<Viewer, "id" | "token">;

export interface ExceededLimit {
  limit: number;
  spent: number;
  /** Name of the token whose limit it is; null for the person's. */
  token: string | null;
}

export function hasDailyLimit({ token }: Spender): boolean {
  return env().dailyCreditsPerPerson !== null || (token?.dailyCredits ?? null) !== null;
}

/**
 * Finds the daily limit that a piece of this cost would exceed, or null. Locks the person until the transaction ends,
 * so that parallel sends cannot exceed it together. A key that has its send already spends nothing.
 */
export async function findExceededLimit(
  tx: Db,
  { id, token }: Spender,
  cost: number,
  idempotencyKey: string | null,
): Promise<ExceededLimit | null> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`spending ${id}`}, 0))::text`;
  if (idempotencyKey !== null) {
    const known = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM sends WHERE actor_id = ${id} AND idempotency_key = ${idempotencyKey}`;
    if (known.length > 0) return null;
  }
  const spent = await loadSpent(tx, id);
  const byToken = spent.byToken[token?.name ?? ""] ?? 0;
  if (token && token.dailyCredits !== null && byToken + cost > token.dailyCredits) {
    return { limit: token.dailyCredits, spent: byToken, token: token.name };
  }
  const limit = env().dailyCreditsPerPerson;
  return limit !== null && spent.total + cost > limit ? { limit, spent: spent.total, token: null } : null;
}

/** Loads the cost of a person's live mail of today (UTC), with open mail, in credits: in all, and by token. */
export function loadSpentToday(personId: string) {
  return withDatabase((db) => loadSpent(db, personId));
}

async function loadSpent(
  db: Db,
  personId: string,
): Promise<{ total: number; byToken: Record<string, number> }> {
  const rows = await db.$queryRaw<{ via: string | null; credits: number }[]>`
    SELECT via, sum(cost)::int AS credits FROM sends
    WHERE actor_id = ${personId} AND state NOT IN ('refused', 'cancelled')
      AND created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    GROUP BY via`;
  return {
    total: rows.reduce((sum, { credits }) => sum + credits, 0),
    byToken: Object.fromEntries(rows.flatMap(({ via, credits }) => (via === null ? [] : [[via, credits]]))),
  };
}

export function formatNeedsApproval({ mailType, cost }: { mailType: MailType; cost: number }): string {
  return `A ${mailType} costs ${formatCredits(cost)}, more than one person may send alone. ${NOTHING_DONE} In the API Builder press Send to a list: the recipient goes along, and another person can approve it.`;
}

export function formatDailyLimit(
  piece: { mailType: MailType; cost: number },
  { limit, spent, token }: ExceededLimit,
): string {
  const who = token === null ? "You may spend" : `The token ${token} may spend`;
  const day = `${who} ${formatCredits(limit)} a day and ${token === null ? "have" : "it has"} spent ${spent}`;
  return `${day}. A ${piece.mailType} costs ${piece.cost}. ${NOTHING_DONE} The next day begins at 00:00 UTC.`;
}
