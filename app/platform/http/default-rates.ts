/** Requests per minute of one person or address, by kind. `RATE_LIMITS` changes them. */
export const DEFAULT_RATES = {
  /** Pages and their data. */
  read: 900,
  /** Searches and comparisons. */
  search: 300,
  /** Files with many rows, and PDFs that are fetched or drawn. */
  export: 120,
  /** Changes in Mailroom. */
  write: 300,
  /** Calls of the provider. */
  send: 300,
  /** Sign-in requests (two per sign-in). */
  "sign-in": 60,
  /** Events of the provider and of Stripe, which retry refused ones. */
  webhook: 6_000,
} as const;

export type RateKind = keyof typeof DEFAULT_RATES;

export type RateLimits = Record<RateKind, number>;
