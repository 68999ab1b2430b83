import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import type { CancelOrder } from "~/pieces/cancel/cancel-mail.server";
import { CANNOT_CANCEL, isMailId } from "~/pieces/mail-item";
import { readStatusWord } from "~/pieces/status";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NOT_A_CURSOR, parseCursor } from "~/platform/page-cursor";
import type { MailRecipientQuery } from "~/recipients/list-recipients.server";
import { NO_RECIPIENT_ID } from "~/recipients/recipient";
import type { MailItemQuery } from "./list-items.server";

/** What may come in at `/api/mail/*` (spec §7), in camelCase there as here. */

/** As many rows as one answer may have. */
const MAX_ROWS = 500;
/** So many where nothing is said: bare arrays have no room to say that there is more. */
const DEFAULT_ROWS = 200;
const MAX_ID_CHARS = 64;

/** "letters" means letter (spec §3 Mail item). */
const mailType = z
  .enum(["letter", "letters", "postcard", "postcards"], "is neither letter nor postcard")
  .transform((word) => (word.startsWith("letter") ? ("letter" as const) : ("postcard" as const)));
/** An id as number or text, as the provider has both. */
const looseId = z
  .union([z.string(), z.number()], "is no id")
  .transform((id) => String(id).trim())
  .refine((id) => id.length <= MAX_ID_CHARS && /^[\w.-]*$/.test(id), "is no id");

const listQuery = z.object({
  userId,
  cursor: z
    .string()
    .transform(parseCursor)
    .refine((cursor) => cursor !== null, NOT_A_CURSOR)
    .optional(),
  limit: z.coerce
    .number("is no number")
    .int("is no whole number")
    .min(1, "is at least 1")
    .max(MAX_ROWS, `is at most ${MAX_ROWS}`)
    .default(DEFAULT_ROWS),
});
const itemQuery = listQuery.extend({
  type: mailType.optional(),
  status: z
    .string()
    .transform(readStatusWord)
    .refine((status) => status !== null, "is no word")
    .optional(),
});
const cancelOrder = z.object({ userId, mailItemId: looseId.nullish(), type: mailType.nullish() });
const deletion = z.object({ userId, recipientId: looseId.nullish() });

/** Reads the address of `/api/mail/items`; empty parameters count as absent. Fails with `bad_input`. */
export function parseItemQuery(parameters: URLSearchParams): Outcome<MailItemQuery> {
  const parsed = itemQuery.safeParse(readPresent(parameters));
  if (!parsed.success) return explain(parsed.error);
  const { userId: user, type, status, cursor, limit } = parsed.data;
  return succeed({ userId: user, type, status: status ?? undefined, cursor: cursor ?? null, limit });
}

/** Reads the address of `/api/mail/recipients`. Fails with `bad_input`. */
export function parseRecipientQuery(parameters: URLSearchParams): Outcome<MailRecipientQuery> {
  const parsed = listQuery.safeParse(readPresent(parameters));
  if (!parsed.success) return explain(parsed.error);
  return succeed({ ...parsed.data, cursor: parsed.data.cursor ?? null });
}

/** Reads a cancel. Fails with `bad_input`, and spec §5's sentence for a missing or zero mail ID. */
export function parseCancelOrder(input: unknown): Outcome<CancelOrder> {
  const parsed = cancelOrder.safeParse(input);
  if (!parsed.success) return explain(parsed.error, " Nothing was cancelled.");
  const { userId: user, mailItemId, type } = parsed.data;
  if (!isMailId(mailItemId)) return fail("bad_input", CANNOT_CANCEL);
  return succeed({ userId: user, mailItemId, type: type ?? null });
}

/** Reads a deletion of a recipient. Fails with `bad_input`, and spec §5's sentence without a recipient ID. */
export function parseDeletion(input: unknown): Outcome<{ userId: string; recipientId: string }> {
  const parsed = deletion.safeParse(input);
  if (!parsed.success) return explain(parsed.error, " Nothing was deleted.");
  const { userId: user, recipientId } = parsed.data;
  if (!recipientId) return fail("bad_input", NO_RECIPIENT_ID);
  return succeed({ userId: user, recipientId });
}

function readPresent(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...parameters].filter(([, value]) => value.trim() !== ""));
}

/** Only our own field names are told. */
function explain(error: z.ZodError, effect = ""): Outcome<never> {
  const problems = error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${String(path[0] ?? "request")} ${message}`);
  return fail("bad_input", `The request cannot be read: ${problems.join("; ")}.${effect}`);
}
