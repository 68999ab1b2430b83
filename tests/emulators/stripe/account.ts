import type Stripe from "stripe";
import type { CheckoutSession } from "../../../prisma/client/client";
import {
  buildCharge,
  buildDispute,
  buildIntent,
  buildRefund,
  buildSession,
  mintId,
  type SessionFacts,
} from "./objects";
import { ApiError } from "./reply";

/** The content of a webhook, in the shape of the API's `event`. */
export interface StripeEvent {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  data: { object: unknown };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

interface Settings {
  origin: string;
  livemode: boolean;
  now: () => number;
  announce: (event: StripeEvent) => void;
}

const API_VERSION = "2026-10-28.endive";

type NewSession = Omit<SessionFacts, "id" | "url" | "livemode" | "createdSeconds"> & {
  intentMetadata: Record<string, string>;
  productName: string;
};

/** A purchase in the console's books. */
type PaidBefore = Pick<
  CheckoutSession,
  "id" | "stripeSessionId" | "stripePaymentId" | "amountCents" | "currency" | "createdAt"
>;

/** The merchant's account: sessions and their payments. */
export class StripeAccount {
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds: ReturnType<typeof buildRefund>[] = [];
  readonly creditNotes: { id: string; created: number; invoice: string; number: string; pdf: string }[] = [];
  readonly disputes: ReturnType<typeof buildDispute>[] = [];
  readonly events: StripeEvent[] = [];
  readonly #orders = new Map<string, Pick<NewSession, "intentMetadata" | "productName">>();

  constructor(readonly settings: Settings) {}

  open({ intentMetadata, productName, ...facts }: NewSession): Stripe.Checkout.Session {
    const { origin, livemode } = this.settings;
    const id = mintId(livemode ? "cs_live" : "cs_test", 58);
    const session = buildSession({
      ...facts,
      id,
      url: `${origin}/c/pay/${id}`,
      livemode,
      createdSeconds: this.#seconds(),
    });
    this.sessions.set(id, session);
    this.#orders.set(id, { intentMetadata, productName });
    return session;
  }

  /** Pays by card, which completes at once. */
  pay(id: string): void {
    const session = this.#requireOpen(id);
    this.#succeed(session, this.#complete(session));
    this.#announce("checkout.session.completed", session);
  }

  /** Restores purchases from before this emulator was started. */
  adopt(paid: PaidBefore): void {
    const { id, stripeSessionId, stripePaymentId, amountCents, currency, createdAt } = paid;
    if (stripeSessionId === null) return;
    const metadata = { checkout_id: id };
    const createdSeconds = Math.floor(createdAt.getTime() / 1000);
    const session = buildSession({
      ...{ id: stripeSessionId, url: "", livemode: this.settings.livemode, createdSeconds },
      ...{ expiresSeconds: Number.POSITIVE_INFINITY, amount: amountCents, currency, clientReferenceId: id },
      ...{ metadata, successUrl: "", cancelUrl: null, customerEmail: null, invoiced: true },
    });
    this.sessions.set(session.id, session);
    this.#orders.set(session.id, { intentMetadata: metadata, productName: "Credits" });
    const intent = this.#complete(session, stripePaymentId ?? undefined);
    this.#succeed(session, intent);
    for (const charge of this.charges.values())
      if (charge.payment_intent === intent.id) charge.created = createdSeconds;
  }

  /** Pays by a slow method: complete, but unpaid until {@link settle}. */
  payLater(id: string): void {
    const session = this.#requireOpen(id);
    this.#complete(session);
    this.#announce("checkout.session.completed", session);
  }

  /** Ends a slow payment. */
  settle(id: string, end: "succeeded" | "failed"): void {
    const session = this.find(id);
    const intent = this.intents.get(String(session.payment_intent));
    if (intent?.status !== "processing") throw new Error(`${id} has no payment under way`);
    if (end === "succeeded") this.#succeed(session, intent);
    else {
      intent.status = "requires_payment_method";
      intent.last_payment_error = { type: "card_error", message: "The payment failed." };
    }
    this.#announce(`checkout.session.async_payment_${end}`, session);
  }

  expire(id: string): Stripe.Checkout.Session {
    const session = this.#requireOpen(id);
    session.status = "expired";
    session.url = null;
    this.#announce("checkout.session.expired", session);
    return session;
  }

  /** @param amount in cents; default all of it */
  refund(id: string, amount?: number): void {
    const charge = this.#requireCharge(id);
    const before = charge.amount_refunded;
    charge.amount_refunded = Math.min(charge.amount, before + (amount ?? charge.amount));
    this.refunds.push(buildRefund(charge, charge.amount_refunded - before, this.#seconds()));
    charge.refunded = charge.amount_refunded === charge.amount;
    const { invoice } = this.find(id);
    if (typeof invoice === "string") {
      const number = `${this.numberOf(invoice)}-CN-${this.creditNotes.length + 1}`;
      const pdf = `${this.findReceiptUrl(id)}?credit-note=${number}`;
      this.creditNotes.push({ id: mintId("cn"), created: this.#seconds(), invoice, number, pdf });
    }
    this.#announce("charge.refunded", charge);
  }

  dispute(id: string): void {
    const charge = this.#requireCharge(id);
    charge.disputed = true;
    const dispute = buildDispute(charge, this.#seconds());
    this.disputes.push(dispute);
    this.#announce("charge.dispute.created", dispute);
  }

  /** @param outcome Stripe's name: `won`, `lost` */
  closeDispute(id: string, outcome: "won" | "lost"): void {
    const charge = this.#requireCharge(id);
    const dispute = this.disputes.findLast((one) => one.charge === charge.id);
    this.#announce("charge.dispute.closed", {
      ...(dispute ?? buildDispute(charge, this.#seconds())),
      status: outcome,
    });
  }

  /** Fails a refund, as when the buyer's bank returns it. */
  failRefund(id: string, amount: number): void {
    const charge = this.#requireCharge(id);
    charge.amount_refunded -= amount;
    charge.refunded = false;
    const refund = this.refunds.findLast((one) => one.charge === charge.id && one.amount === amount);
    this.#announce("refund.failed", {
      ...(refund ?? buildRefund(charge, amount, this.#seconds())),
      status: "failed",
    });
  }

  /** The number of an invoice. */
  numberOf(invoice: string): string {
    return `MAIL-${String([...this.sessions.values()].findIndex((one) => one.invoice === invoice) + 1).padStart(4, "0")}`;
  }

  /** The address of the page that shows the payment. */
  findReceiptUrl(id: string): string {
    return `${this.settings.origin}/c/receipt/${id}`;
  }

  /** A description of the session's items. */
  describe(id: string): string {
    return this.#orders.get(id)?.productName ?? "";
  }

  /** @throws Error when there is no such session */
  find(id: string): Stripe.Checkout.Session {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`no session ${id}`);
    this.#expireInTime(session);
    return session;
  }

  /** Expires sessions when their time has passed. */
  #expireInTime(session: Stripe.Checkout.Session): void {
    if (session.status === "open" && session.expires_at <= this.#seconds()) this.expire(session.id);
  }

  /** Starts the payment, with status `processing`. */
  #complete(session: Stripe.Checkout.Session, id = mintId("pi")): Stripe.PaymentIntent {
    const metadata = this.#orders.get(session.id)?.intentMetadata ?? {};
    const intent = { ...buildIntent(session, metadata, this.#seconds()), id };
    this.intents.set(intent.id, intent);
    session.payment_intent = intent.id;
    session.status = "complete";
    session.url = null;
    return intent;
  }

  #succeed(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent): void {
    const charge = buildCharge(intent, this.#seconds());
    this.charges.set(charge.id, charge);
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
    intent.latest_charge = charge.id;
    session.payment_status = "paid";
    charge.receipt_url = this.findReceiptUrl(session.id);
    if (session.invoice_creation?.enabled) session.invoice = mintId("in");
  }

  #requireOpen(id: string): Stripe.Checkout.Session {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`no session ${id}`);
    if (session.status !== "open") {
      throw new ApiError(400, { message: `The session's status is \`${session.status}\`, not open.` });
    }
    return session;
  }

  #requireCharge(id: string): Stripe.Charge {
    const intent = this.intents.get(String(this.find(id).payment_intent));
    const charge = this.charges.get(String(intent?.latest_charge));
    if (!charge) throw new Error(`${id} was not paid`);
    return charge;
  }

  #announce(type: string, object: unknown): void {
    const event: StripeEvent = {
      id: mintId("evt"),
      object: "event",
      api_version: API_VERSION,
      created: this.#seconds(),
      data: { object: structuredClone(object) },
      livemode: this.settings.livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    this.events.push(event);
    this.settings.announce(event);
  }

  #seconds(): number {
    return Math.floor(this.settings.now() / 1000);
  }
}
