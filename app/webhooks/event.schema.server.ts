import { z } from "zod";
import { ALARM_KINDS, type AlarmKind } from "~/alarms/alarm-kinds";
import { EVENT_NAMES, WEBHOOK_EVENTS, type WebhookEvent } from "./events";

/** Schemas of the bodies that `write-bodies.server.ts` builds. */

const moment = z.string().meta({ format: "date-time" });
const count = z.int().min(0);
const mailType = z.enum(["postcard", "letter"]);
const userId = z.string().describe("The payer's ID.");

const piece = z.object({
  id: z.string().describe("For `GET /api/pieces/{id}`."),
  type: mailType,
  state: z.enum(["checking", "needs_decision", "accepted", "refused", "cancelling", "cancelled"]),
  status: z.string().nullable().describe("The provider's own word for where it is."),
  provider_id: z.string().nullable(),
  user_id: userId,
  credits: count.nullable().describe("Charged, released or refunded by this event; null: none."),
  charged: count.describe("The current charge, in credits."),
  list_id: z.string().nullable().describe("The piece's list."),
});
const batch = z.object({
  id: z.string(),
  type: mailType,
  state: z.enum(["finished", "stopped", "paused"]),
  user_id: userId,
  sent: count,
  refused: count,
  checking: count.describe("Rows whose outcome is not known yet."),
  not_sent: count,
});
const balance = z.object({
  user_id: userId.describe("The user's ID."),
  threshold: z.union([z.literal(50), z.literal(10)]).describe("The threshold crossed, in credits."),
  balance: count,
});
const alarm = z.object({
  id: z.string(),
  kind: z.enum(Object.keys(ALARM_KINDS) as [AlarmKind, ...AlarmKind[]]).describe("There may be more later."),
  title: z.string().describe("The kind in words."),
  subject_type: z.string().describe("`piece`, `payment`, `user`, `webhook`, `list` or `system`."),
  subject_id: z.string(),
  url: z.string().describe("The page of all open alarms."),
});

const DATA = {
  "piece.accepted": piece,
  "piece.refused": piece,
  "piece.status": piece,
  "piece.cancelled": piece,
  "piece.needs_decision": piece,
  "batch.finished": batch,
  "batch.paused": batch,
  "balance.low": balance,
  "alarm.opened": alarm,
} satisfies Record<WebhookEvent, z.ZodType>;

export type EventData = { [Event in WebhookEvent]: z.infer<(typeof DATA)[Event]> };

const PIECE: EventData["piece.accepted"] = {
  id: "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
  type: "postcard",
  state: "accepted",
  status: "received",
  provider_id: "4180021",
  user_id: "auth-ada",
  credits: 1,
  charged: 1,
  list_id: null,
};
const NOT_MAILED: EventData["piece.refused"] = {
  ...PIECE,
  state: "refused",
  status: null,
  provider_id: null,
  charged: 0,
};
const BATCH: EventData["batch.finished"] = {
  id: "b7d4d1b2-40cf-4c1c-9d55-5a0f5f0d7a10",
  type: "postcard",
  state: "finished",
  user_id: "auth-ada",
  sent: 248,
  refused: 2,
  checking: 0,
  not_sent: 0,
};
export const EXAMPLES: EventData = {
  "piece.accepted": PIECE,
  "piece.refused": NOT_MAILED,
  "piece.status": { ...PIECE, status: "handed_over", credits: null },
  "piece.cancelled": { ...PIECE, state: "cancelled", status: "cancelled", charged: 0 },
  "piece.needs_decision": { ...NOT_MAILED, state: "needs_decision", credits: null },
  "batch.finished": BATCH,
  "batch.paused": { ...BATCH, state: "paused", sent: 120, refused: 0, not_sent: 130 },
  "balance.low": { user_id: "auth-ada", threshold: 50, balance: 49 },
  "alarm.opened": {
    id: "12",
    kind: "list_paused",
    title: ALARM_KINDS.list_paused,
    subject_type: "list",
    subject_id: BATCH.id,
    url: "https://mailroom.example.com/alarms",
  },
};

/** Events with the schema and an example of their body. */
export const EVENT_BODIES = EVENT_NAMES.map((type) => ({
  type,
  description: WEBHOOK_EVENTS[type],
  schema: z.looseObject({
    type: z.literal(type),
    timestamp: moment.describe("When it happened. Events may arrive out of order."),
    sample: z.literal(true).optional().describe("Sent by hand to try a receiver; nothing happened."),
    // Loose, because receivers have to ignore unknown fields.
    data: DATA[type].loose(),
  }),
  example: { type, timestamp: "2026-11-22T17:05:12.031Z", data: EXAMPLES[type] },
}));
