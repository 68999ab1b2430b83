/** Prices of pieces in credits, and of credits in money. */

/** Credits per live piece. */
export const MAIL_PRICES = { letter: 2, postcard: 1 } as const;

/** The one package on sale. */
export const CREDIT_PACKAGE = { credits: 100, amountCents: 999, currency: "usd" } as const;

/** "$9.99", without `Intl`: the first number format of a page takes 90 ms of a slow processor. */
export const PACKAGE_PRICE = `$${(CREDIT_PACKAGE.amountCents / 100).toFixed(2)}`;

/** Balances from `comfortable` up are fine, balances below `low` are marked in red. */
export const BALANCE_THRESHOLDS = { comfortable: 50, low: 10 } as const;
