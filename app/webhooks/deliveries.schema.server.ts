import { z } from "zod";
import { DATE_OUT_OF_RANGE, isDateInRange, pageRows } from "~/platform/input.server";
import { NOT_A_CURSOR } from "~/platform/page-cursor";
import { DELIVERY_STATES, EVENT_NAMES, TEST_EVENT } from "./events";

/** Schemas of the API for deliveries. */

const moment = z.string().meta({ format: "date-time" });
const count = z.int().min(0);
const state = z.enum(DELIVERY_STATES);
const EVENT_TYPES = [...EVENT_NAMES, TEST_EVENT] as const;

export const deliveryQuery = z.object({
  endpoint_id: z.string().max(100).optional().describe("Filters by endpoint."),
  state: state.optional(),
  type: z.enum(EVENT_TYPES).optional().describe("Filters by event."),
  piece_id: z.string().max(100).optional().describe("Filters by piece."),
  message_id: z.string().max(100).optional().describe("Filters by the header `webhook-id`."),
  limit: pageRows(100, 25),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, NOT_A_CURSOR)
    .optional()
    .describe("`next_cursor` of the page before."),
});

export const deliveryList = z.strictObject({
  success: z.literal(true),
  data: z.array(
    z.strictObject({
      id: z.string(),
      endpoint_id: z.string(),
      message_id: z.string().describe("The header `webhook-id`, the same at each try."),
      type: z.enum(EVENT_TYPES),
      piece_id: z.string().nullable().describe("The piece that it is about."),
      state,
      created_at: moment,
      next_try_at: moment.nullable(),
      tries: z.array(
        z.strictObject({
          at: moment,
          status: z.int().nullable(),
          problem: z.string().nullable(),
          duration_ms: count,
          answer: z.string().nullable().describe("Its first characters."),
        }),
      ),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const replayOrder = z.strictObject({
  since: z.iso
    .datetime({ offset: true, error: "must be a date and time: 2026-11-23T08:00:00Z" })
    .refine(isDateInRange, DATE_OUT_OF_RANGE)
    .refine((text) => new Date(text).getTime() <= Date.now(), "must not be in the future")
    .describe("Events from then on. Events are kept for 30 days."),
  missed_only: z.boolean().default(false).describe("Leaves out what was delivered to this endpoint."),
});

export const replayQueued = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({ queued: count.describe("Events that are sent again, each once and in order.") }),
});
