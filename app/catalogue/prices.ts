/** Prices of pieces in credits, and of credits in money. */

/** Credits per live piece. */
export const MAIL_PRICES = { letter: 2, postcard: 1 } as const;

/** The one package on sale. */
export const CREDIT_PACKAGE = { credits: 100, amountCents: 999, currency: "usd" } as const;

/** Balances from `comfortable` up are fine, balances below `low` are marked in red. */
export const BALANCE_THRESHOLDS = { comfortable: 50, low: 10 } as const;
