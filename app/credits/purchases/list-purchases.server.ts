import { withDatabase } from "~/platform/database/database.server";
import type { ValueOf } from "~/platform/outcome";
import { cutPage, parseCursor } from "~/platform/page-cursor";
import { formatMoment } from "~/ui/moment";
import { Prisma } from "../../../prisma/client/client";
import { formatCredits } from "../format-credits";
import { purchaseAddress } from "../ledger/paid-with";
import { type CheckoutState, PURCHASE_GROUPS, type PurchaseFlag, purchasesAddress } from "./checkout-state";
import { formatMoney } from "./format-money";

const PAGE_ROWS = 50;

export type PurchasesView = ValueOf<typeof loadPurchases>;

interface Row {
  id: string;
  state: CheckoutState;
  flag: PurchaseFlag | null;
  user: string;
  buyer: string | null;
  credits: number;
  amountCents: number;
  currency: string;
  note: string | null;
  createdAt: Date;
}

/**
 * Loads a page of all purchases, newest first. Fails as the database does.
 * @param query `show`, a group, and `cursor`; unknown ones count as absent
 */
export function loadPurchases(query: URLSearchParams, now: Date) {
  const group = PURCHASE_GROUPS.find(({ name }) => name === query.get("show"));
  const cursor = parseCursor(query.get("cursor") ?? "");
  const inGroup = group ? Prisma.sql`coalesce(c.flag, c.state) = ANY (${[...group.has]})` : Prisma.sql`TRUE`;
  const earlier = cursor
    ? Prisma.sql`(c.created_at, c.id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`
    : Prisma.sql`TRUE`;
  return withDatabase(async (db) => {
    const { rows, nextCursor } = cutPage(
      await db.$queryRaw<Row[]>`
        SELECT c.id, c.state, c.flag, u.display_name AS user, a.display_name AS buyer, c.credits,
          c.amount_cents AS "amountCents", c.currency, c.note, c.created_at AS "createdAt"
        FROM checkout_sessions c JOIN users u ON u.id = c.user_id
          LEFT JOIN users a ON a.id = split_part(c.actor_id, ' via ', 1) AND a.id <> c.user_id
        WHERE ${inGroup} AND ${earlier} ORDER BY c.created_at DESC, c.id DESC LIMIT ${PAGE_ROWS + 1}`,
      PAGE_ROWS,
    );
    const show = group?.name ?? "all";
    return {
      show,
      purchases: rows.map(({ id, credits, amountCents, currency, createdAt, ...row }) => ({
        ...row,
        to: purchaseAddress(id),
        title: `${formatCredits(credits)} for ${formatMoney(amountCents, currency)}`,
        at: formatMoment(createdAt, now),
      })),
      newest: cursor && purchasesAddress(show),
      older: nextCursor && purchasesAddress(show, nextCursor),
    };
  });
}
