import type { ProviderResult } from "~/outside/mail-provider/call/client.server";
import { inProviderTurn } from "~/outside/mail-provider/call/provider-turn.server";
import {
  type CancelOutcome,
  callWithForm,
  isKnownBase,
  parseCancelOutcome,
} from "~/outside/mail-provider/piece.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import {
  formatDeletionLimited,
  formatDeletionRefused,
  formatDeletionUnknown,
  formatDeletionUnreachable,
  NO_KEY_TO_DELETE,
  NO_RECIPIENT,
  NO_RECIPIENT_ID,
  RECIPIENT_DELETED,
  RECIPIENT_GONE_BEFORE,
  RECIPIENT_OF_UNKNOWN_BASE,
  SEVERAL_RECIPIENTS,
  STILL_LISTED,
} from "./messages";
import { markDeleted } from "./record-recipients.server";

interface Row {
  id: string;
  recipientId: string | null;
  baseUrl: string;
}

/** What a deletion says; `warning` where the provider had no such recipient any more. */
export interface Deleted {
  message: string;
  warning: string | null;
}

/**
 * Deletes a recipient at the provider, then here. `recipientId` is the provider's or our own id. Fails with
 * `bad_input` (no recipient ID, or one that two accounts have), `not_found`, `not_configured`, `provider_refused`,
 * `rate_limited`, `overloaded`, `provider_unreachable`, `provider_timeout` or as the database does.
 */
export async function deleteMailRecipient(
  { userId, recipientId }: { userId: string; recipientId: string },
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Deleted>> {
  const found = await withDatabase(
    (db) => db.$queryRaw<Row[]>`
      SELECT id, recipient_id AS "recipientId", base_url AS "baseUrl" FROM mail_recipients
      WHERE user_id = ${userId} AND (recipient_id = ${recipientId} OR id = ${recipientId}) AND deleted_at IS NULL
      ORDER BY (id = ${recipientId}) DESC, created_at DESC LIMIT 10`,
  );
  if (!found.ok) return found;
  const [row] = found.value;
  if (!row) return fail("not_found", NO_RECIPIENT);
  if (row.id !== recipientId && found.value.some(({ baseUrl }) => baseUrl !== row.baseUrl)) {
    return fail("bad_input", SEVERAL_RECIPIENTS);
  }
  if (row.recipientId === null) return fail("bad_input", NO_RECIPIENT_ID);
  const { providerKey, providerTimeoutMs } = env();
  if (providerKey === null) {
    return fail("not_configured", NO_KEY_TO_DELETE);
  }
  if (!isKnownBase(row.baseUrl)) {
    return fail("not_configured", RECIPIENT_OF_UNKNOWN_BASE);
  }
  const fields = { id: row.recipientId };
  return inProviderTurn(async () => {
    const { result } = await callWithForm(row.baseUrl, "recipients/delete", fields, providerTimeoutMs);
    return settleDeletion(row, parseCancelOutcome(result, providerTimeoutMs), result, viewer);
  });
}

async function settleDeletion(
  row: Row,
  outcome: CancelOutcome,
  result: ProviderResult,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Deleted>> {
  log.info("recipient.deleted", { userId: viewer.id, event: outcome.kind });
  switch (outcome.kind) {
    case "cancelled":
      return storeDeletion(row, null);
    case "refused":
      if (result.kind === "answered" && result.status === 404) {
        return storeDeletion(row, RECIPIENT_GONE_BEFORE);
      }
      return fail("provider_refused", formatDeletionRefused(outcome.reason));
    case "rate_limited":
      return fail("rate_limited", formatDeletionLimited(outcome.waitSeconds));
    case "never_sent":
      return fail("provider_unreachable", formatDeletionUnreachable(outcome.reason));
    case "unknown":
      return fail("provider_timeout", formatDeletionUnknown(outcome.happened));
  }
}

async function storeDeletion(
  { baseUrl, recipientId }: Row,
  warning: string | null,
): Promise<Outcome<Deleted>> {
  const done = await withDatabase((db) => markDeleted(db, baseUrl, recipientId));
  if (done.ok) return succeed({ message: RECIPIENT_DELETED, warning });
  return succeed({
    message: RECIPIENT_DELETED,
    warning: STILL_LISTED,
  });
}
