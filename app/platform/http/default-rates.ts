/**
 * What a request is counted as, and how many of them one caller may make in a minute: a person, or an address where
 * no one is signed in. A busy person stays far below; `RATE_LIMITS` changes them.
 */
export const DEFAULT_RATES = {
  /** Pages and their data. */
  read: 900,
  /** Searches and comparisons. */
  search: 300,
  /** Files with many rows, and PDFs that are fetched or drawn. */
  export: 120,
  /** What changes something here. */
  write: 300,
  /** What may call the provider. */
  send: 300,
  /** Steps of a login: two for each. */
  "sign-in": 60,
  /** Events of the provider and of Stripe, which send again what was refused. */
  webhook: 6_000,
} as const;

export type RateKind = keyof typeof DEFAULT_RATES;

export type RateLimits = Record<RateKind, number>;
