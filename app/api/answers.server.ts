import { z } from "zod";
import type { toWireUser } from "~/credits/credit-users.server";
import { TRANSACTION_TYPES, type toWireTransaction } from "~/credits/ledger/transaction";
import type { toWireItem } from "~/mail/list-items.server";
import type { UserOption } from "~/people/user-option";
import type { RefreshedItem } from "~/pieces/events/refresh-status.server";
import { STATUS_WORDS } from "~/pieces/status";
import type { ResponseStats } from "~/responses/stats/stats.server";
import { storedResponse } from "~/responses/stored-response.schema.server";

/** Schemas of answers outside `/api/pieces`. The compiler compares them with the types that routes send. */

const count = z.int().min(0);
const moment = z.string().meta({ format: "date-time" });
const noMoment = moment.nullable();
const noText = z.string().nullable();

export const providerStatus = z
  .string()
  .describe(
    `The provider's word: ${STATUS_WORDS.map((word) => `\`${word}\``).join(", ")}, or one that it adds.`,
  );

function succeedWith<T extends z.core.$ZodShape>(fields: T) {
  return z.strictObject({ success: z.literal(true), ...fields });
}

export const mailItem = z.strictObject({
  id: z.string().describe("For `GET /api/pieces/{id}`."),
  preset: z.string(),
  status: providerStatus,
  method: z.string(),
  type: z.enum(["letters", "postcards"]),
  path: z.string(),
  createdAt: moment,
  mailItemId: noText.describe("The provider's ID; `0` for a test."),
  isCancelled: z.boolean(),
  cancelledAt: noMoment,
  cancellationReason: noText,
  isTest: z.boolean(),
  isCancelling: z.boolean().describe("The provider has not confirmed the cancel yet."),
  addressee: noText,
  statusAt: moment,
  charged: count.describe("What it costs now, in credits; 0 after a refund."),
  sendId: noText.describe("The piece's ID; null for a test."),
}) satisfies z.ZodType<ReturnType<typeof toWireItem>>;

export const mailRecipient = z.strictObject({
  id: z.string(),
  recipientId: noText.describe("The provider's ID; null for an address that was given with a piece."),
  name: z.string(),
  email: noText,
  isVerified: z.boolean(),
  createdAt: moment,
});

const refund = z.strictObject({ creditsRefunded: count, newBalance: z.int() });

export const cancelled = succeedWith({
  message: z.string(),
  refund: refund.describe("0 credits for an item that was cancelled before."),
  warning: noText,
  error: z.null(),
});

export const cancelPending = z.strictObject({
  success: z.literal(false),
  message: z.string(),
  refund: refund.nullable(),
  warning: noText,
  error: z.string(),
  pending: z.literal(true),
});

const refreshedItem = z.strictObject({
  id: z.string(),
  status: providerStatus,
  changed: z.boolean(),
  refunded: count.describe("Credits that came back, because the provider had cancelled it."),
  problem: noText.describe("Why the provider could not be asked, or did not say."),
}) satisfies z.ZodType<RefreshedItem>;

export const refreshed = succeedWith({
  items: z.array(refreshedItem),
  left: z.array(z.string()).describe("IDs that were not refreshed: send them again later."),
  retry_after_seconds: count.nullable(),
  message: z.string(),
});

export const recipientDeleted = succeedWith({ message: z.string(), warning: noText });

export const responseList = succeedWith({
  data: z.array(storedResponse),
  next_cursor: noText,
  matching: z
    .strictObject({ count, more: z.boolean() })
    .describe("How many match; with `more`, at least that many."),
  searched_newest: count.nullable().describe("The number of newest responses that were searched; null: all."),
});
export const oneResponse = succeedWith({ data: storedResponse });
export const responseDeleted = succeedWith({});
export const responseStats = succeedWith({
  data: z.strictObject({
    total: count,
    by_status: z.record(z.string(), count).describe("By the provider's status; `none` without one."),
    recent_count: count.describe("Responses in the last 24 hours."),
  }) satisfies z.ZodType<ResponseStats>,
});

export const user = z.strictObject({
  id: z.string(),
  display_name: z.string(),
  username: z.string(),
  isAuthenticatedUser: z.literal(true).exactOptional().describe("Present on the token's owner alone."),
  credits: count.exactOptional().describe("Present on an owner without an account yet: 0."),
}) satisfies z.ZodType<UserOption>;
export const userList = succeedWith({ users: z.array(user).describe("The token's owner first.") });

export const creditUser = z.strictObject({
  ...user.shape,
  credits: z.int().describe("The balance."),
  held: count.describe("Set aside until an outcome is known. `credits - held` can be spent."),
  total_spent: count,
  last_updated: noMoment,
}) satisfies z.ZodType<ReturnType<typeof toWireUser>>;

export const creditUserList = succeedWith({ data: z.array(creditUser) });
export const adjusted = succeedWith({ message: z.string(), data: creditUser });

export const transaction = z.strictObject({
  id: z.int(),
  user_id: z.string(),
  user_display_name: z.string(),
  transaction_type: z.enum(TRANSACTION_TYPES),
  amount: count.describe("In credits; a `debit` takes them away, `release` and `reserve` move none."),
  balance_after: z.int(),
  description: z.string(),
  actor_id: z.string().describe("Who did it, with the token's name behind `via`; `system` or `stripe`."),
  actor_name: z.string(),
  reference_response_id: noText.describe("Its piece."),
  created_at: moment,
}) satisfies z.ZodType<ReturnType<typeof toWireTransaction>>;

export const transactionList = succeedWith({ data: z.array(transaction), next_cursor: noText });
export const checkoutOpened = succeedWith({
  id: z.string().describe("Ours, for `/purchases/{id}`."),
  url: z.string().describe("Where a person pays."),
});
