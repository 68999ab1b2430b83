import { z } from "zod";
import { METHODS, MODES } from "./stored-response";

const moment = z.string().meta({ format: "date-time" });
const noText = z.string().nullable();

/** A stored response as it is sent. The bodies are absent when they were not requested. */
export const storedResponse = z.strictObject({
  id: z.string(),
  method: z.enum(METHODS),
  /** Relative to the base URL, as it was called. */
  path: z.string(),
  endpoint_category: z.string(),
  endpoint_preset: z.string(),
  /** The provider's; null without a readable answer. */
  status_code: z.int().nullable(),
  duration_ms: z.int().min(0).nullable(),
  tags: z.array(z.string()),
  user_id: z.string(),
  user_display_name: z.string(),
  created_at: moment,
  is_cancelled: z.boolean(),
  cancelled_at: moment.nullable(),
  cancellation_reason: noText,
  send_id: noText.describe("The live piece whose response it is."),
  mode: z.enum(MODES).nullable().describe("Mode of a letter or postcard."),
  /** "Ana Lopez", "Recipient 1001"; null when unknown. */
  addressee: noText,
  /** A `StoredRequest` when it was saved automatically; anything when it was saved by hand. */
  request_data: z.unknown().optional().describe("Absent with `bodies=0`."),
  response_data: z.unknown().optional().describe("Absent with `bodies=0`."),
  response_headers: z.record(z.string(), z.string()).exactOptional().describe("Absent with `bodies=0`."),
  response_base64: z
    .string()
    .exactOptional()
    .describe("The bytes of an answer that is not exactly `response_data`."),
  is_refused: z.boolean().exactOptional().describe("The provider answered 2xx and refused all the same."),
});

export type StoredResponse = z.infer<typeof storedResponse>;
