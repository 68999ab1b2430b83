/** Events that a receiver gets, with their meaning. */
export const WEBHOOK_EVENTS = {
  "piece.accepted": "The provider has a live piece, and it was charged.",
  "piece.refused": "A live piece was not mailed, and its credits were released.",
  "piece.status": "The provider moved a piece on: printed, handed over, delivered, returned.",
  "piece.cancelled": "A piece was cancelled and refunded.",
  "piece.needs_decision": "Only a person can tell whether a piece was mailed.",
  "batch.finished": "A list finished, or was stopped.",
  "batch.paused":
    "A list paused itself, and a person has to resume or stop it. A pause by a person sends no event.",
  "balance.low": "A balance fell below 50 or 10 credits. Sent once, until credits are added.",
  "alarm.opened":
    "Something needs a person: a failed payment, a paused list, a missing backup, and anything else on the Alarms page.",
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

export const EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];

/** Sent by a button to try a receiver. */
export const TEST_EVENT = "webhook.test";

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
