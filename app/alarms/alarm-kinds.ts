export const ALARM_KINDS = {
  piece_needs_decision: "A piece needs a decision",
  mailed_after_release: "A piece was mailed after its credits were released",
  mailed_as_test: "A test was mailed",
  send_row_missing: "A piece was sent and its record was lost",
  settling_failed: "The outcome of a piece could not be stored",
  event_in_doubt: "An event does not match our piece",
  webhook_silent: "The mail provider's events stopped",
  cancel_given_up: "A cancel could not be confirmed",
  payment_mismatch: "A payment does not match its order",
  payment_failed: "A payment failed",
  payment_refunded: "A payment was refunded",
  payment_disputed: "A payment is disputed",
  dispute_closed: "A dispute was closed",
  refund_failed: "A refund failed",
  provider_difference: "Our records and the provider's differ",
  stripe_difference: "Our records and Stripe's differ",
  answers_changed: "The mail provider's response format changed",
  ledger_broken: "The ledger is inconsistent",
  setup_fault: "A setup check failed",
  approval_needed: "A list needs approval",
  list_paused: "A list was paused",
  webhook_disabled: "A webhook endpoint was switched off",
} as const;

export type AlarmKind = keyof typeof ALARM_KINDS;

/** Closed only by its decision on another page, so that the list still links there. */
export const ENDS_BY_DECISION: AlarmKind = "approval_needed";

/** The subject of an alarm: a piece, payment, user, webhook endpoint or list by our id; otherwise a name of our own. */
export interface AlarmSubject {
  type: "piece" | "payment" | "user" | "webhook" | "list" | "system";
  id: string;
}

export interface Evidence {
  /** A sentence for the person who looks into it. */
  text: string;
  /** The facts by name. An address of a stored response or comparison is shown as a link. */
  facts?: Record<string, string | number | boolean | null>;
}
