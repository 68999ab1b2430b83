import { type AlarmRow, listAlarmsAbout } from "~/alarms/alarms-view.server";
import {
  fetchPaymentPage,
  findCreditNoteAddress,
  findReceiptAddress,
} from "~/outside/stripe/payment-page.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { type Flash, toFlash } from "~/platform/http/flash.server";
import { fail, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { cutPage, parseCursor } from "~/platform/page-cursor";
import { capitalise } from "~/platform/sentence";
import { formatMoment } from "~/ui/moment";
import { type CheckoutSession, Prisma } from "../../../prisma/client/client";
import { formatCredits } from "../format-credits";
import { listUses, priceOfPart, type Use } from "../ledger/paid-with.server";
import { formatActor, ledgerAddress, purchaseAddress } from "../ledger/transaction";
import { NO_SUCH_PAYMENT } from "../messages";
import { findCheckout, storePayments } from "./checkout-record.server";
import { type CheckoutState, PURCHASE_GROUPS, type PurchaseFlag, purchasesAddress } from "./checkout-state";
import { completeCheckout } from "./complete-checkout.server";
import { countDigits, formatMoney } from "./format-money";

const PAGE_ROWS = 50;

export type PurchasesView = ValueOf<typeof loadPurchases>;

interface ListedPurchase
  extends Pick<CheckoutSession, "id" | "credits" | "amountCents" | "currency" | "note" | "createdAt"> {
  state: CheckoutState;
  flag: PurchaseFlag | null;
  user: string;
  buyer: string | null;
}

/** Loads a page of purchases, newest first. @param query `show`, a group, and `cursor`; unknown ones count as absent */
export function loadPurchases(query: URLSearchParams, now: Date) {
  const group = PURCHASE_GROUPS.find(({ name }) => name === query.get("show"));
  const cursor = parseCursor(query.get("cursor") ?? "");
  const inGroup = group ? Prisma.sql`coalesce(c.flag, c.state) = ANY (${[...group.has]})` : Prisma.sql`TRUE`;
  const earlier = cursor
    ? Prisma.sql`(c.created_at, c.id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`
    : Prisma.sql`TRUE`;
  return withDatabase(async (db) => {
    const { rows, nextCursor } = cutPage(
      await db.$queryRaw<ListedPurchase[]>`
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

const NO_RECEIPT = "Stripe has no receipt for this purchase.";

interface StoredPurchase extends Omit<CheckoutSession, "successUrl" | "cancelUrl" | "lookedAt"> {
  state: CheckoutState;
  flag: PurchaseFlag | null;
  user: string;
  actor: string | null;
  ledgerId: bigint | null;
}

export type PurchasePageView = ValueOf<typeof loadPurchase>;

export function loadPurchase(id: string, now: Date) {
  return withDatabase(async (db) => {
    const [purchase] = await db.$queryRaw<StoredPurchase[]>`
      SELECT c.id, c.state, c.user_id AS "userId", u.display_name AS user, c.actor_id AS "actorId",
        a.display_name AS actor, c.credits, c.amount_cents AS "amountCents", c.currency,
        c.stripe_session_id AS "stripeSessionId", c.stripe_payment_id AS "stripePaymentId", c.invoice_number AS "invoiceNumber", c.note, c.flag,
        c.created_at AS "createdAt", c.closed_at AS "closedAt", t.id AS "ledgerId"
      FROM checkout_sessions c JOIN users u ON u.id = c.user_id LEFT JOIN users a ON a.id = split_part(c.actor_id, ' via ', 1)
        LEFT JOIN credit_transactions t ON t.cause = 'checkout' AND t.cause_key = c.id
      WHERE c.id = ${id}`;
    if (!purchase) return fail("not_found", NO_SUCH_PAYMENT);
    const uses = purchase.ledgerId === null ? [] : await listUses(db, purchase.ledgerId);
    return describe(purchase, uses, await listAlarmsAbout(db, { type: "payment", id }, now), now);
  });
}

function describe(purchase: StoredPurchase, uses: readonly Use[], reports: AlarmRow[], now: Date) {
  const { actorId, actor, amountCents, currency, ledgerId, createdAt, closedAt, ...rest } = purchase;
  const { credits, state, stripeSessionId, stripePaymentId } = rest;
  const spent = uses.reduce((sum, use) => sum + use.credits, 0);
  const price = formatMoney(amountCents, currency);
  const worthOf = (from: number, to: number) => formatMoney(priceOfPart(purchase, from, to), currency);
  return {
    ...rest,
    title: `${formatCredits(credits)} for ${price}`,
    price,
    pricePerCredit: formatMoney(amountCents / credits, currency, 4 - countDigits(currency)),
    actor: formatActor(actorId, actor),
    at: formatMoment(createdAt, now),
    closedAt: closedAt && formatMoment(closedAt, now),
    /** True when Stripe may know something that is not stored yet. */
    canAsk:
      env().stripe !== null &&
      stripeSessionId !== null &&
      (state !== "completed" || stripePaymentId === null),
    ledger: ledgerId === null ? null : { id: Number(ledgerId), to: ledgerAddress(Number(ledgerId)) },
    reports,
    uses: uses.map((use, index) => {
      const before = uses.slice(0, index).reduce((sum, one) => sum + one.credits, 0);
      const { ledgerId: row, pieceId } = use;
      return {
        ledgerId: row,
        credits: use.credits,
        worth: worthOf(before, before + use.credits),
        at: formatMoment(use.at, now),
        what: formatUse(use),
        to: pieceId === null ? ledgerAddress(row) : `/sends/${encodeURIComponent(pieceId)}`,
        refunded: use.refunded,
      };
    }),
    spent: { credits: spent, worth: worthOf(0, spent) },
    left: { credits: ledgerId === null ? 0 : credits - spent, worth: worthOf(spent, credits) },
  };
}

/** Formats "Postcard to Ana Lopez"; a deduction by its reason. */
function formatUse({ mailType, addressee, description }: Use): string {
  if (mailType === null) return `Deducted by hand: ${description}`;
  return addressee === null ? description : `${capitalise(mailType)} to ${addressee}`;
}

/** Books a purchase by its state at Stripe, and stores Stripe's id of the payment. */
export async function askStripeAbout(id: string): Promise<Flash> {
  const settled = await completeCheckout(id);
  if (!settled.ok) return toFlash(settled);
  const { checkout } = settled.value;
  if (checkout.state === "completed" && checkout.stripeSessionId !== null) {
    const page = await fetchPaymentPage(checkout.stripeSessionId);
    if (!page.ok) return toFlash(page);
    const stored = await withDatabase((db) =>
      storePayments(db, [{ ...page.value, checkoutId: checkout.id }]),
    );
    if (!stored.ok) return toFlash(stored);
  }
  return { tone: "ok", message: "Checked with Stripe. This page is up to date." };
}

/** Finds the address of a purchase's invoice or receipt at Stripe, or of its refund's credit note. */
export async function findReceipt(id: string, ofRefund: boolean): Promise<Outcome<string>> {
  const found = await withDatabase((db) => findCheckout(db, id));
  if (!found.ok) return found;
  const { state, stripeSessionId } = found.value ?? {};
  if (state !== "completed" || !stripeSessionId) return fail("not_found", NO_RECEIPT);
  const address = await (ofRefund ? findCreditNoteAddress : findReceiptAddress)(stripeSessionId);
  if (!address.ok) return address;
  if (address.value !== null) return succeed(address.value);
  return fail(
    "not_found",
    ofRefund
      ? "Stripe has no credit note for this refund. Issue one in its dashboard, or use the receipt, which shows the refund."
      : NO_RECEIPT,
  );
}
