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
import { type Failed, type FailureCode, fail, type Outcome, succeed } from "~/platform/outcome";
import { endSentence } from "~/platform/sentence";
import { markDeleted } from "./record-recipients.server";

type Row = { id: string; recipientId: string | null; baseUrl: string };

export const NO_RECIPIENT_ID = "Cannot delete recipient: No recipient ID found";
const AMBIGUOUS =
  "There are several recipients with this ID. Nothing was deleted; use the recipient's own id.";
const NO_KEY =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was deleted.";
const UNKNOWN_BASE =
  "This recipient is in an account that STANNP_BASE_URLS no longer names. Nothing was deleted.";
const STILL_LISTED =
  "The database is not available right now, so the list may still show it. Delete it again later.";

/** Deletes a recipient at the provider, then here. `recipientId` is the provider's or our own id. */
export async function deleteMailRecipient(
  { userId, recipientId }: { userId: string; recipientId: string },
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<{ message: string; warning: string | null }>> {
  const found = await withDatabase(
    (db) => db.$queryRaw<Row[]>`
      SELECT id, recipient_id AS "recipientId", base_url AS "baseUrl" FROM mail_recipients
      WHERE user_id = ${userId} AND (recipient_id = ${recipientId} OR id = ${recipientId}) AND deleted_at IS NULL
      ORDER BY (id = ${recipientId}) DESC, created_at DESC LIMIT 10`,
  );
  if (!found.ok) return found;
  const [row] = found.value;
  if (!row) return fail("not_found", "This user has no recipient with this ID. Nothing was deleted.");
  const { id, baseUrl } = row;
  if (id !== recipientId && found.value.some((other) => other.baseUrl !== baseUrl)) {
    return fail("bad_input", AMBIGUOUS);
  }
  if (row.recipientId === null) return fail("bad_input", NO_RECIPIENT_ID);
  const { providerKey, providerTimeoutMs } = env();
  if (providerKey === null) return fail("not_configured", NO_KEY);
  if (!isKnownBase(baseUrl)) return fail("not_configured", UNKNOWN_BASE);
  const options = { form: { id: row.recipientId }, timeoutMs: providerTimeoutMs };
  return inProviderTurn(async () => {
    const { result } = await callBase(baseUrl, "recipients/delete", options);
    const outcome = parseCancelOutcome(result, providerTimeoutMs);
    log.info("recipient.deleted", { userId: viewer.id, event: outcome.kind });
    if (outcome.kind === "cancelled") return storeDeletion(row, null);
    if (outcome.kind === "refused" && result.kind === "answered" && result.status === 404) {
      return storeDeletion(row, "The provider no longer had this recipient.");
    }
    return failDeletion(outcome);
  });
}

async function storeDeletion({ baseUrl, recipientId }: Row, warning: string | null) {
  const done = await withDatabase((db) => markDeleted(db, baseUrl, recipientId));
  return succeed({
    message: "Recipient deleted successfully",
    warning: done.ok ? warning : STILL_LISTED,
  });
}

function failDeletion(outcome: Exclude<CancelOutcome, { kind: "cancelled" }>): Failed {
  const failed = (code: FailureCode, why: string) => fail(code, `Failed to delete recipient: ${why}`);
  switch (outcome.kind) {
    case "refused":
      return failed("provider_refused", `${endSentence(outcome.reason)} Nothing was deleted.`);
    case "rate_limited":
      return failed(
        "rate_limited",
        `the provider's rate limit is used up; try again in ${outcome.waitSeconds} s.`,
      );
    case "never_sent":
      return failed(
        "provider_unreachable",
        `the provider could not be reached (${outcome.reason}). Nothing was deleted.`,
      );
    case "unknown":
      return failed(
        "provider_timeout",
        `${outcome.happened} It may have been deleted; delete it again to be sure.`,
      );
  }
}
