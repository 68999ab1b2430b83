import type { Db } from "~/platform/database/client";
import { Prisma } from "../../../prisma/client/client";
import type { BoughtCell, MailKind, SpentCell } from "./spent";

/**
 * Live mail between two months, by month, person and kind; a piece belongs to the month in which it was sent. Charges are
 * read from the pieces and prices from the items, each by an index that has all of it: a year of 100,000 pieces is added
 * up in a tenth of a second.
 * @param months first and last, both included
 */
export async function selectSpent(
  db: Db,
  months: { first: string; last: string },
  userId: string | null,
): Promise<SpentCell[]> {
  const sent = await db.$queryRaw<SentCell[]>`
    SELECT ${MONTH} AS month, user_id AS "userId", mail_type AS kind, count(*)::int AS pieces,
      (count(*) FILTER (WHERE state = 'cancelled'))::int AS cancelled,
      coalesce(sum(charged) FILTER (WHERE state <> 'cancelled'), 0)::int AS credits
    FROM sends WHERE state IN ('accepted', 'cancelling', 'cancelled') AND ${isWithin(months, userId)}
    GROUP BY 1, 2, 3`;
  const priced = await db.$queryRaw<PricedCell[]>`
    SELECT ${MONTH} AS month, user_id AS "userId", type AS kind,
      coalesce(sum(provider_cost) * 10000, 0)::float8 AS "costUnits", count(provider_cost)::int AS priced
    FROM mail_items WHERE NOT test AND NOT is_cancelled AND ${isWithin(months, userId)}
    GROUP BY 1, 2, 3`;
  const prices = new Map(priced.map((cell) => [keyOf(cell), cell]));
  return sent.map((cell) => {
    const { costUnits = 0, priced: known = 0 } = prices.get(keyOf(cell)) ?? {};
    return { ...cell, costUnits, unpriced: Math.max(0, cell.pieces - cell.cancelled - known) };
  });
}

/** The month of the first live mail; null where there is none. */
export async function selectFirstMonth(db: Db, userId: string | null): Promise<string | null> {
  const [row] = await db.$queryRaw<{ month: string | null }[]>`
    SELECT to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM mail_items
    WHERE NOT test AND ${isOf(userId)}`;
  return row?.month ?? null;
}

/** Paid purchases until the end of a month, by month and person. */
export function selectBought(db: Db, last: string, userId: string | null): Promise<BoughtCell[]> {
  return db.$queryRaw<BoughtCell[]>`
    SELECT to_char(closed_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, user_id AS "userId", currency,
      sum(amount_cents)::float8 AS "minorUnits", sum(credits)::int AS credits
    FROM checkout_sessions WHERE state = 'completed' AND closed_at < ${endOf(last)}::timestamptz
      AND ${isOf(userId)}
    GROUP BY 1, 2, 3`;
}

/** Credits of the pieces that were sent on each day of a month, without what was refunded. */
export function selectDays(
  db: Db,
  month: string,
  userId: string | null,
): Promise<{ day: string; kind: MailKind; credits: number }[]> {
  return db.$queryRaw`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, mail_type AS kind, sum(charged)::int AS credits
    FROM sends WHERE state IN ('accepted', 'cancelling')
      AND ${isWithin({ first: month, last: month }, userId)}
    GROUP BY 1, 2`;
}

type SentCell = Omit<SpentCell, "costUnits" | "unpriced">;
type PricedCell = Pick<SpentCell, "month" | "userId" | "kind" | "costUnits"> & { priced: number };

const MONTH = Prisma.sql`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM')`;

function keyOf({ month, userId, kind }: Pick<SpentCell, "month" | "userId" | "kind">): string {
  return JSON.stringify([month, userId, kind]);
}

function isWithin({ first, last }: { first: string; last: string }, userId: string | null): Prisma.Sql {
  return Prisma.sql`created_at >= ${`${first}-01T00:00:00Z`}::timestamptz AND created_at < ${endOf(last)}::timestamptz AND ${isOf(userId)}`;
}

function isOf(userId: string | null): Prisma.Sql {
  return userId === null ? Prisma.sql`TRUE` : Prisma.sql`user_id = ${userId}`;
}

/** Where the next month begins. */
function endOf(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString();
}
