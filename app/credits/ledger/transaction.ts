import { formatActorName } from "~/people/actor";
import { formatInteger } from "~/platform/format-integer";

export const TRANSACTION_TYPES = ["debit", "credit", "purchase", "refund", "release", "reserve"] as const;

/** `release` and `reserve` move no credits: a person decided that a held piece was not mailed, or credits of a list were set aside and released. */
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Reason of a row; unique with its key. */
export type TransactionCause =
  | "send"
  | "refund"
  | "checkout"
  | "adjustment"
  | "review"
  | "reservation"
  | "reservation_end";

const SYSTEM_ACTOR = "system";
export const STRIPE_ACTOR = "stripe";

export interface CreditTransaction {
  id: number;
  userId: string;
  userName: string;
  type: TransactionType;
  /** In credits, never negative; a debit takes them away. */
  amount: number;
  balanceAfter: number;
  description: string;
  /** A user's id, also with a token's name (`people/actor.ts`), {@link SYSTEM_ACTOR} or {@link STRIPE_ACTOR}. */
  actorId: string;
  /** The actor's name on screen. */
  actorName: string;
  reference: string | null;
  createdAt: Date;
  /** The payment of a purchase; null for other rows. */
  payment: {
    checkoutId: string;
    amountCents: number;
    currency: string;
    stripeSessionId: string | null;
    stripePaymentId: string | null;
    invoiceNumber: string | null;
  } | null;
  /** The provider's price of the charged piece in its own currency, "0.99"; null when it is not known. */
  providerCost: string | null;
}

/** Formats the change of the balance: "+100", "−2" or "0". */
export function formatChange({ type, amount }: Pick<CreditTransaction, "type" | "amount">): string {
  if (amount === 0) return "0";
  return `${type === "debit" ? "−" : "+"}${formatInteger(amount)}`;
}

const REFERENCE_CHARS = 12;

export function shortenReference(reference: string): string {
  return reference.length > REFERENCE_CHARS ? `${reference.slice(0, REFERENCE_CHARS)}…` : reference;
}

/** Formats an actor's name; a user who is not stored is shown by ID. */
export function formatActor(actorId: string, storedName: string | null): string {
  if (actorId === SYSTEM_ACTOR) return "System";
  if (actorId === STRIPE_ACTOR) return "Stripe";
  return formatActorName(actorId, storedName);
}

export function toWireTransaction(transaction: CreditTransaction) {
  return {
    id: transaction.id,
    user_id: transaction.userId,
    user_display_name: transaction.userName,
    transaction_type: transaction.type,
    amount: transaction.amount,
    balance_after: transaction.balanceAfter,
    description: transaction.description,
    actor_id: transaction.actorId,
    actor_name: transaction.actorName,
    reference_response_id: transaction.reference,
    created_at: transaction.createdAt.toISOString(),
  };
}

export function purchaseAddress(checkoutId: string): string {
  return `/purchases/${encodeURIComponent(checkoutId)}`;
}

export function ledgerAddress(ledgerId: number): string {
  return `/users?view=history&cursor=${ledgerId + 1}#entry-${ledgerId}`;
}
