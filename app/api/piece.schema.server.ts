import { z } from "zod";
import { POSTCARD_SIZES } from "~/catalogue/options";
import { userId } from "~/people/stored-user.schema.server";
import { idempotencyKey, pageCursor, pageRows, shortText } from "~/platform/input.server";
import { FAILURE_CODES, type FailureCode } from "~/platform/outcome";
import { providerStatus } from "./answers.server";

/** Schemas of `/api/pieces`, from which the OpenAPI document is built. */

const line = z.string().max(200);
const flag = z.boolean();
const artwork = z.string().min(1).describe("The file as base64, or an https address of it.");
const template = z
  .union([z.string(), z.number()])
  .transform(String)
  .describe("ID of a design in the account.");
const common = {
  post_unverified: flag.optional().describe("Set to post to an address that cannot be verified."),
  addons: z.array(line).max(20).optional(),
  variables: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe("Values for {placeholders} in texts and templates."),
};

const person = z
  .strictObject({
    title: line.optional(),
    firstname: line.optional(),
    lastname: line.optional(),
    company: line.optional(),
    address1: line,
    address2: line.optional(),
    city: line.optional(),
    state: line.optional(),
    postcode: line.optional(),
    country: z.string().regex(/^[A-Za-z]{2}$/, "must be a country of two letters"),
    email: line.optional(),
    phone: line.optional(),
  })
  .meta({ title: "New address" });
const savedPerson = z
  .strictObject({
    id: z.union([z.string(), z.number()]).transform(String).describe("A recipient saved at the provider."),
  })
  .meta({ title: "Saved recipient" });

const postcard = z.strictObject({
  size: z.enum(POSTCARD_SIZES),
  template: template.optional(),
  front: artwork.optional(),
  back: artwork.optional(),
  message: z.string().optional(),
  signature: artwork.optional(),
  font: line.optional(),
  font_size: z.number().optional(),
  font_colour: line.optional(),
  padding: z.number().optional(),
  clearzone: flag.optional(),
  ...common,
});
const letter = z.strictObject({
  size: z.string().max(40).optional().describe("Paper size in the provider's spelling."),
  template: template.optional(),
  file: z.string().min(1).optional().describe("A PDF as base64, or an https address of it."),
  text: z.string().min(1).optional().describe("The letter's text, made into a PDF here."),
  duplex: flag.optional().describe("Both sides; without it the provider prints both."),
  colour: flag.optional(),
  paper_type: line.optional(),
  envelope_type: line.optional(),
  ...common,
});

const order = {
  mode: z
    .enum(["test", "live"])
    .describe("`test`: a free sample, nothing is mailed. `live`: real mail, paid with credits."),
  recipient: z.union([person, savedPerson]),
  user_id: userId.optional().describe("ID of the payer. Defaults to the token's owner."),
  reference: shortText(100)
    .optional()
    .describe(
      "Your own name for the piece, such as an order number. Unique among your live pieces, except refused ones.",
    ),
  tags: z.array(shortText(50)).max(20).optional(),
  tested_piece_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Sends this tested piece live, within 24 hours and once. All but `mode` must be as it was tested. It needs no idempotency key.",
    ),
  idempotency_key: idempotencyKey.optional().describe("The same as the header `Idempotency-Key`."),
  known_duplicate: z
    .string()
    .max(100)
    .nullable()
    .optional()
    .describe(
      "Turns the duplicate check on. `null`: refuse if the same content went to the same address in the last 7 days. A piece's ID: refuse unless that piece is the only one.",
    ),
};

export const newPiece = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("postcard"), ...order, content: postcard }),
  z.strictObject({ type: z.literal("letter"), ...order, content: letter }),
]);

export type NewPiece = z.infer<typeof newPiece>;

export const preflightQuery = z.strictObject({
  preflight: z
    .literal("only", "must be only")
    .optional()
    .describe(
      "`only` lists what is wrong with the piece. Nothing is sent, stored or charged, and no key is needed.",
    ),
});

const finding = z.strictObject({
  severity: z
    .enum(["ruins", "warns", "informs"])
    .describe(
      "`ruins`: it is refused, cannot arrive or cannot be read. `warns`: it would be printed wrong. `informs`: it could not be checked.",
    ),
  code: z.string(),
  field: z.string().nullable().describe("What to change, such as `recipient.postcode`."),
  text: z.string(),
});

export type PieceFinding = z.infer<typeof finding>;

export const pieceQuery = z.strictObject({
  user_id: userId.optional().describe("ID of the payer. Defaults to the token's owner."),
  mode: z.enum(["test", "live"], "must be test or live").optional(),
  type: z.enum(["postcard", "letter"], "must be postcard or letter").optional(),
  reference: shortText(100).optional(),
  tag: shortText(50).optional().describe("One of its tags."),
  limit: pageRows(100, 25),
  cursor: pageCursor.optional().describe("`next_cursor` of the page before."),
  idempotency_key: idempotencyKey
    .optional()
    .describe(
      "Finds the live piece that the caller sent with this key, or from the test with this ID. Other filters are ignored.",
    ),
});

export type PieceQuery = z.output<typeof pieceQuery>;

const PIECE_STATES = [
  "test",
  "checking",
  "needs_decision",
  "accepted",
  "refused",
  "cancelling",
  "cancelled",
] as const;

const count = z.int().min(0);
const moment = z.string().meta({ format: "date-time" });

export const piece = z.strictObject({
  id: z.string(),
  mode: z.enum(["test", "live"]),
  type: z.enum(["postcard", "letter"]),
  state: z
    .enum(PIECE_STATES)
    .describe(
      "`test`: a sample. `checking`: it may have been mailed; the outcome is not known yet. `needs_decision`: only a person can find it out. `accepted`: the provider has it, and it is charged. `refused`: not mailed, not charged. `cancelling`: the provider has not confirmed the cancel. `cancelled`: stopped and refunded.",
    ),
  status: providerStatus.nullable(),
  status_at: moment.nullable(),
  provider_id: z.string().nullable(),
  user_id: z.string().describe("The payer's ID."),
  actor_id: z.string().describe("Who sent it, with the token's name behind `via`."),
  recipient: z.string().nullable(),
  credits: z.strictObject({
    cost: count,
    held: count.describe("Reserved until the outcome is known."),
    charged: count,
  }),
  reference: z.string().nullable(),
  tags: z.array(z.string()).describe("Tags from `POST /api/pieces`."),
  tested_piece_id: z
    .string()
    .nullable()
    .describe("On a test: the ID to send live. On a live piece: its test."),
  pdf_url: z.string().nullable().describe("The provider's PDF, for a token with `read`."),
  note: z.string().nullable().describe("Why it was refused, or what is not known."),
  url: z.string().nullable().describe("Its page in Mailroom; null for a test."),
  created_at: moment,
  settled_at: moment.nullable(),
});

export type WirePiece = z.infer<typeof piece>;

export const createdPiece = z.strictObject({
  success: z.literal(true),
  data: piece.nullable().describe("Null with `preflight=only`."),
  replayed: z.boolean().describe("The key was used before: nothing was sent again."),
  notice: z.string().nullable().describe("What else there is to know, such as how the piece was made."),
  findings: z.array(finding).optional().describe("With `preflight=only`; empty when nothing is wrong."),
});

export const onePiece = z.strictObject({ success: z.literal(true), data: piece });

export const pieceList = z.strictObject({
  success: z.literal(true),
  data: z.array(piece),
  next_cursor: z.string().nullable(),
});

export const cancelledPiece = z.strictObject({
  success: z.literal(true),
  data: piece,
  message: z.string(),
  refund: z
    .strictObject({ credits_refunded: count, new_balance: z.int() })
    .nullable()
    .describe("Null while the cancel is not confirmed; 0 credits for a piece that was cancelled before."),
});

export const failure = z.object({
  success: z.literal(false),
  code: z.enum(Object.keys(FAILURE_CODES) as FailureCode[]),
  error: z.string().describe("What failed, what was not done, and what to do next."),
  request_id: z.string().nullable().describe("The header `X-Request-Id`; name it when you ask for help."),
  details: z.string().optional(),
  piece_id: z.string().optional(),
  replayed: z.literal(true).optional(),
  balance: z.int().optional(),
  cost: count.optional(),
  shortfall: count.optional().describe("Credits that are missing."),
});
