/** One row of the ledger, as pages and `/api/credits/transactions` tell it (spec §3 Credit transaction). */

export const TRANSACTION_TYPES = ["debit", "credit", "purchase", "refund", "release"] as const;

/** `release` moves nothing: a person decided that a held piece was not mailed. */
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** What a row was written for; one row per cause and key, for ever (money.md §1). */
export type TransactionCause = "send" | "refund" | "checkout" | "adjustment" | "review";

/** Actors that are no person. */
const SYSTEM_ACTOR = "system";
export const STRIPE_ACTOR = "stripe";

export interface CreditTransaction {
  id: number;
  userId: string;
  userName: string;
  type: TransactionType;
  /** Credits; a debit took them away. */
  amount: number;
  balanceAfter: number;
  description: string;
  /** A user's id, {@link SYSTEM_ACTOR} or {@link STRIPE_ACTOR}. */
  actorId: string;
  /** What to call the actor. */
  actorName: string;
  /** The send it belongs to, or null. */
  reference: string | null;
  createdAt: Date;
}

/** What a transaction did to the balance: "+100", "−2" or "0". */
export function formatChange({ type, amount }: Pick<CreditTransaction, "type" | "amount">): string {
  if (amount === 0) return "0";
  return `${type === "debit" ? "−" : "+"}${amount.toLocaleString("en")}`;
}

const REFERENCE_CHARS = 12;

/** spec §9: a transaction's reference is shown to 12 characters. */
export function shortenReference(reference: string): string {
  return reference.length > REFERENCE_CHARS ? `${reference.slice(0, REFERENCE_CHARS)}…` : reference;
}

/** Actors that are no person have names of their own; somebody who is not stored goes by the id. */
export function formatActor(actorId: string, storedName: string | null): string {
  if (actorId === SYSTEM_ACTOR) return "System";
  if (actorId === STRIPE_ACTOR) return "Stripe";
  return storedName ?? actorId;
}

/** spec §3 Credit transaction, as `/api/credits/transactions` spells it. */
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
