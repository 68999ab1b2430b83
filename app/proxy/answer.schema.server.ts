import { z } from "zod";

/** Schemas of the answers of `POST /api/stannp`. */

const count = z.int().min(0);
const noText = z.string().nullable();
const isTrue = z.literal(true).exactOptional();

const sentRequest = z.strictObject({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: noText.describe("Cut after 256 KB, with a line that says so."),
});

const creditOutcome = z.strictObject({
  success: z.boolean(),
  mailType: z.enum(["postcard", "letter"]).nullable(),
  creditsDeducted: count,
  newBalance: z.int().nullable(),
  userId: noText,
  error: noText,
  pending: isTrue.describe("The outcome is not stored yet; it will be, once."),
  held: count.exactOptional().describe("Credits set aside until the outcome is known."),
  creditsRefunded: count.exactOptional().describe("The refund of a cancel."),
  replayed: isTrue.describe("This is about an earlier send with the same key."),
});

const duplicateOf = z.strictObject({ send_id: z.string(), tested_piece_id: noText });

export const proxyResponse = z.strictObject({
  status: z.int().nullable().describe("The provider's; null when no answer of the provider was read."),
  data: z.unknown().describe("The `data` in the provider's answer, or all of it; null when it is not JSON."),
  text: noText.describe("The provider's body as it came, or the size of a file: `binary, 1,051 bytes`."),
  base64: z.string().exactOptional().describe("The bytes of a body that is not exactly `text` in UTF-8."),
  error: noText.describe("The reason for the failure; null on success."),
  durationMs: z.number(),
  url: z.string(),
  request: sentRequest
    .nullable()
    .describe("As it was sent, with secrets masked; null when nothing was sent."),
  headers: z.record(z.string(), z.string()).describe("The provider's, names in lower case."),
  hint: noText.describe("The next step."),
  credits: creditOutcome.nullable().describe("For live letters and postcards, and for their cancels."),
  pending: isTrue.describe("Live mail whose outcome, or that of its cancel, is not known yet."),
  replayed: isTrue.describe("The key was used before: nothing was sent again."),
  send_id: z.string().exactOptional().describe("The live piece, at `/sends/{send_id}`."),
  piece_id: z.string().exactOptional().describe("The test, for `GET /api/pieces/{id}`."),
  tested_piece: z
    .strictObject({ id: z.string(), cost: noText, pdf: noText })
    .exactOptional()
    .describe("This test can be sent live by `tested_piece_id`; `pdf` is a path here."),
  response_id: z.string().exactOptional().describe("The stored response."),
  duplicate_of: duplicateOf.exactOptional().describe("The earlier piece that blocked this send (409)."),
  balance: z.int().exactOptional(),
  cost: count.exactOptional(),
  shortfall: count.exactOptional(),
  buy_url: z.string().exactOptional(),
});

export const probeResponse = z.strictObject({ hasServerKey: z.boolean() });

export type ProxyResponse = z.infer<typeof proxyResponse>;
export type ProbeResponse = z.infer<typeof probeResponse>;
export type CreditOutcome = z.infer<typeof creditOutcome>;
export type SentRequest = z.infer<typeof sentRequest>;
export type DuplicateOf = z.infer<typeof duplicateOf>;
