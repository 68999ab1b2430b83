import type { ProviderResult } from "~/outside/mail-provider/call/client.server";
import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import {
  type CancelOutcome,
  callBase,
  isKnownBase,
  parseCancelOutcome,
} from "~/outside/mail-provider/piece.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NO_RECIPIENT_ID } from "./recipient";
import { markDeleted } from "./record-recipients.server";

interface Row {
  id: string;
  recipientId: string | null;
  baseUrl: string;
}

/** The result of a deletion. */
export interface Deleted {
  message: string;
  warning: string | null;
}

const FAILED = "Failed to delete recipient";

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
  if (!row) return fail("not_found", "This user has no recipient with this ID. Nothing was deleted.");
  if (row.id !== recipientId && found.value.some(({ baseUrl }) => baseUrl !== row.baseUrl)) {
    return fail(
      "bad_input",
      "There are several recipients with this ID. Nothing was deleted; use the recipient's own id.",
    );
  }
  if (row.recipientId === null) return fail("bad_input", NO_RECIPIENT_ID);
  const { providerKey, providerTimeoutMs } = env();
  if (providerKey === null) {
    return fail(
      "not_configured",
      "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was deleted.",
    );
  }
  if (!isKnownBase(row.baseUrl)) {
    return fail(
      "not_configured",
      "This recipient is in an account that STANNP_BASE_URLS no longer names. Nothing was deleted.",
    );
  }
  const form = { id: row.recipientId };
  return inProviderTurn(async () => {
    const { result } = await callBase(row.baseUrl, "recipients/delete", {
      form,
      timeoutMs: providerTimeoutMs,
    });
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
        return storeDeletion(row, "The provider no longer had this recipient.");
      }
      return fail(
        "provider_refused",
        `${FAILED}: ${outcome.reason.replace(/\.?$/, ".")} Nothing was deleted.`,
      );
    case "rate_limited":
      return fail(
        "rate_limited",
        `${FAILED}: the provider's rate limit is used up; try again in ${outcome.waitSeconds} s.`,
      );
    case "never_sent":
      return fail(
        "provider_unreachable",
        `${FAILED}: the provider could not be reached (${outcome.reason}). Nothing was deleted.`,
      );
    case "unknown":
      return fail(
        "provider_timeout",
        `${FAILED}: ${outcome.happened} It may have been deleted; delete it again to be sure.`,
      );
  }
}

async function storeDeletion(
  { baseUrl, recipientId }: Row,
  warning: string | null,
): Promise<Outcome<Deleted>> {
  const done = await withDatabase((db) => markDeleted(db, baseUrl, recipientId));
  const stillListed =
    "The database is not available right now, so the list may still show it. Delete it again later.";
  return succeed({ message: "Recipient deleted successfully", warning: done.ok ? warning : stillListed });
}
