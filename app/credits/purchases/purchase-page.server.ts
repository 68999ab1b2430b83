import { type AlarmRow, listAlarmsAbout } from "~/alarms/alarms-view.server";
import {
  findCreditNoteAddress,
  findReceiptAddress,
  loadPaymentPage,
} from "~/outside/stripe/payment-page.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import type { Flash } from "~/platform/http/flash.server";
import { fail, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { formatCredits } from "../format-credits";
import { priceOfPart } from "../ledger/credit-queue";
import { ledgerAddress } from "../ledger/paid-with";
import { listUses, type Use } from "../ledger/paid-with.server";
import { formatActor } from "../ledger/transaction";
import { NO_SUCH_PAYMENT } from "../messages";
import { findCheckout, storePayments } from "./checkout-record.server";
import type { CheckoutState, PurchaseFlag } from "./checkout-state";
import { completeCheckout } from "./complete-checkout.server";
import { countDigits, formatMoney } from "./format-money";

const NO_RECEIPT = "Stripe has no receipt for this purchase.";

interface StoredPurchase {
  id: string;
  state: CheckoutState;
  userId: string;
  user: string;
  actorId: string;
  actor: string | null;
  credits: number;
  amountCents: number;
  currency: string;
  stripeSessionId: string | null;
  stripePaymentId: string | null;
  invoiceNumber: string | null;
  note: string | null;
  flag: PurchaseFlag | null;
  createdAt: Date;
  closedAt: Date | null;
  ledgerId: bigint | null;
}

export type PurchasePageView = ValueOf<typeof loadPurchase>;

/** Loads a purchase with the uses of its credits. Fails with `not_found`, or as the database does. @param id ours */
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
      return toPurchaseUse(use, worthOf(before, before + use.credits), now);
    }),
    spent: { credits: spent, worth: worthOf(0, spent) },
    left: { credits: ledgerId === null ? 0 : credits - spent, worth: worthOf(spent, credits) },
  };
}

function toPurchaseUse(use: Use, worth: string, now: Date) {
  const { ledgerId, pieceId, credits, refunded } = use;
  return {
    ledgerId,
    credits,
    worth,
    at: formatMoment(use.at, now),
    what: formatUse(use),
    to: pieceId === null ? ledgerAddress(ledgerId) : `/sends/${encodeURIComponent(pieceId)}`,
    refunded,
  };
}

/** Books a purchase by its state at Stripe, and stores Stripe's id of the payment. */
export async function askStripeAbout(id: string): Promise<Flash> {
  const settled = await completeCheckout(id);
  if (!settled.ok) return { tone: "bad", message: settled.failure.message };
  const { checkout } = settled.value;
  if (checkout.state === "completed" && checkout.stripeSessionId !== null) {
    const page = await loadPaymentPage(checkout.stripeSessionId);
    if (!page.ok) return { tone: "bad", message: page.failure.message };
    const stored = await withDatabase((db) =>
      storePayments(db, [{ ...page.value, checkoutId: checkout.id }]),
    );
    if (!stored.ok) return { tone: "bad", message: stored.failure.message };
  }
  return { tone: "ok", message: "Checked with Stripe. This page is up to date." };
}

/**
 * Finds the address of a purchase's invoice or receipt at Stripe, or of its refund's credit note. Fails with `not_found`, or as the database and
 * Stripe do.
 */
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

/** Formats "Postcard to Ana Lopez"; a deduction by its reason. */
function formatUse({ mailType, addressee, description }: Use): string {
  if (mailType === null) return `Deducted by hand: ${description}`;
  const kind = mailType === "letter" ? "Letter" : "Postcard";
  return addressee === null ? description : `${kind} to ${addressee}`;
}
