/** What things cost in credits, and what credits cost in money (spec §9). */

/** Credits per live piece. */
export const MAIL_PRICES = { letter: 2, postcard: 1 } as const;

/** The one package on sale. */
export const CREDIT_PACKAGE = { credits: 100, amountCents: 999, currency: "usd" } as const;

/** From here a balance is comfortable, and below here it is low (spec §4 Credit badge colour). */
export const BALANCE_THRESHOLDS = { comfortable: 50, low: 10 } as const;
