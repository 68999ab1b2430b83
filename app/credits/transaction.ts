/** One row of the ledger, as pages and `/api/credits/transactions` tell it (spec §3 Credit transaction). */

export const TRANSACTION_TYPES = ["debit", "credit", "purchase", "refund", "release"] as const;

/** `release` moves nothing: a person decided that a held piece was not mailed. */
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** What a row was written for; one row per cause and key, for ever (money.md §1). */
export type TransactionCause = "send" | "refund" | "checkout" | "adjustment" | "review";

/** Actors that are no person. */
export const SYSTEM_ACTOR = "system";
export const STRIPE_ACTOR = "stripe";
