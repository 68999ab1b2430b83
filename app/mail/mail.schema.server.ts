import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import type { CancelOrder } from "~/pieces/cancel/cancel-mail.server";
import { CANNOT_CANCEL, isMailId } from "~/pieces/mail-item";
import { parseStatus } from "~/pieces/status";
import { formatBadRequest, pageCursor, pageRows, parseInput, selectFilled } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NO_RECIPIENT_ID } from "~/recipients/delete-recipient.server";
import type { MailRecipientQuery } from "~/recipients/list-recipients.server";
import { everyPieceOf } from "./piece-filter";

const MAX_ROWS = 500;
/** Generous, because a bare array cannot announce further rows. */
const DEFAULT_ROWS = 200;
const MAX_ID_CHARS = 64;

/** Accepts types in the plural, as the API writes them, and in the singular. */
const mailType = z
  .enum(["letter", "letters", "postcard", "postcards"], "must be letter or postcard")
  .transform((word) => (word.startsWith("letter") ? ("letter" as const) : ("postcard" as const)));
/** Accepts an id as number or text, as the provider has both. */
const looseId = z
  .union([z.string(), z.number()], "must be an id")
  .transform((id) => String(id).trim())
  .refine((id) => id.length <= MAX_ID_CHARS && /^[\w.-]*$/.test(id), "must be an id");

export const listQuery = z.object({
  userId,
  cursor: pageCursor.optional(),
  limit: pageRows(MAX_ROWS, DEFAULT_ROWS),
});
export const itemQuery = listQuery.extend({
  type: mailType.optional(),
  status: z
    .string()
    .transform(parseStatus)
    .refine((status) => status !== null, "must be a status")
    .optional(),
});
export const cancelOrder = z.object({ userId, mailItemId: looseId.nullish(), type: mailType.nullish() });
export const deletion = z.object({ userId, recipientId: looseId.nullish() });

/** Parses the query of `/api/mail/items`; empty parameters count as absent. Fails with `bad_input`. */
export function parseItemQuery(parameters: URLSearchParams) {
  const parsed = parseInput(itemQuery, selectFilled(parameters), formatBadRequest);
  if (!parsed.ok) return parsed;
  const { userId: user, type, status, cursor, limit } = parsed.value;
  // Only mail items, because open mail has no status of the provider's.
  const filter = { ...everyPieceOf(user), open: false, type: type ?? null, status: status ?? null };
  return succeed({ filter, cursor: cursor ?? null, limit });
}

/** Parses the query of `/api/mail/recipients`. Fails with `bad_input`. */
export function parseRecipientQuery(parameters: URLSearchParams): Outcome<MailRecipientQuery> {
  const parsed = parseInput(listQuery, selectFilled(parameters), formatBadRequest);
  return parsed.ok ? succeed({ ...parsed.value, cursor: parsed.value.cursor ?? null }) : parsed;
}

/** Parses the body of a cancel. Fails with `bad_input`, also for a missing or zero mail ID. */
export function parseCancelOrder(input: unknown): Outcome<CancelOrder> {
  const refuse = (problems: string) => `${formatBadRequest(problems)} Nothing was cancelled.`;
  const parsed = parseInput(cancelOrder, input, refuse);
  if (!parsed.ok) return parsed;
  const { userId: user, mailItemId, type } = parsed.value;
  if (!isMailId(mailItemId)) return fail("bad_input", CANNOT_CANCEL);
  return succeed({ userId: user, mailItemId, type: type ?? null });
}

/** Parses the body of a deletion. Fails with `bad_input`, also for a missing recipient ID. */
export function parseDeletion(input: unknown): Outcome<{ userId: string; recipientId: string }> {
  const refuse = (problems: string) => `${formatBadRequest(problems)} Nothing was deleted.`;
  const parsed = parseInput(deletion, input, refuse);
  if (!parsed.ok) return parsed;
  const { userId: user, recipientId } = parsed.value;
  if (!recipientId) return fail("bad_input", NO_RECIPIENT_ID);
  return succeed({ userId: user, recipientId });
}
