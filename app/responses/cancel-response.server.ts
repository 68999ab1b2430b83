import { loadAccount } from "~/credits/ledger/ledger.server";
import type { Viewer } from "~/people/viewer.server";
import { cancelMail, cancelSend, quoteCancel } from "~/pieces/cancel/cancel-mail.server";
import { buildAlready, type CancelResult } from "~/pieces/cancel/cancel-settle.server";
import type { MailType } from "~/pieces/mail-type";
import { NO_KEY_TO_CANCEL } from "~/pieces/messages";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { findResponse } from "./search/find-response.server";
import type { StoredResponse } from "./stored-response.schema.server";

export const CANCEL_FAILED = "Failed to cancel mail item";

/**
 * Cancels the letter or postcard of a stored response and refunds it, as {@link cancelMail} does. A copy is cancelled
 * by the provider's id in it. Fails with `not_configured` without a key, `not_found`, `bad_input` where the response
 * cannot be cancelled, and as `cancelMail`.
 */
export async function cancelResponse(id: string, viewer: Viewer): Promise<Outcome<CancelResult>> {
  const cancelled = await cancelOf(id, viewer);
  if (cancelled.ok) return cancelled;
  const { code, message, details } = cancelled.failure;
  return fail(code, `${CANCEL_FAILED}: ${message}`, details);
}

/** Formats the effect of a cancel, or the reason why it cannot be done. */
export async function quoteResponse(id: string): Promise<string> {
  const found = await findResponse(id);
  if (!found.ok) return found.failure.message;
  if (found.value === null) return "This stored response was deleted.";
  const problem = findCancelProblem(found.value);
  if (problem !== null) return problem;
  if (found.value.send_id !== null) return quoteCancel(found.value.send_id);
  return "This is a copy. If its piece belongs to this user and can still be stopped, its credits are refunded.";
}

type Cancelled = "endpoint_category" | "endpoint_preset" | "status_code" | "is_cancelled";

/** True when a stored response offers 'Cancel Mail': a test has nothing to cancel. */
export function canCancel(response: Pick<StoredResponse, Cancelled | "mode">): boolean {
  return response.mode !== "test" && findCancelProblem(response) === null;
}

/** Finds the reason why a stored response cannot be cancelled, as a sentence; null when it can. */
export function findCancelProblem(response: Pick<StoredResponse, Cancelled>): string | null {
  const { endpoint_category, endpoint_preset, status_code, is_cancelled } = response;
  if (!["letters", "postcards"].includes(endpoint_category)) {
    return "This response is not about a letter or postcard.";
  }
  if (!endpoint_preset.includes("create")) return "This request did not create a letter or postcard.";
  if (status_code === null || status_code < 200 || status_code > 299) {
    return "The provider did not accept this request, so there is nothing to cancel.";
  }
  return is_cancelled ? "This piece is cancelled already." : null;
}

async function cancelOf(id: string, viewer: Viewer): Promise<Outcome<CancelResult>> {
  if (env().providerKey === null) return fail("not_configured", NO_KEY_TO_CANCEL);
  const found = await findResponse(id);
  if (!found.ok) return found;
  const response = found.value;
  if (response === null) {
    return fail("not_found", "There is no stored response with this ID. Nothing was cancelled.");
  }
  // The other ways to cancel answer for a cancelled piece.
  const problem = findCancelProblem({ ...response, is_cancelled: false });
  if (problem !== null) return fail("bad_input", `${problem} Nothing was cancelled.`);
  const cancelled = await (response.send_id
    ? cancelSend(response.send_id, viewer)
    : cancelCopy(response, viewer));
  const isGone = !cancelled.ok && ["not_found", "bad_input"].includes(cancelled.failure.code);
  if (!isGone || !response.is_cancelled) return cancelled;
  // Flagged without a stored piece: saved by an earlier version, or erased since.
  const account = await withDatabase((db) => loadAccount(db, response.user_id));
  if (!account.ok) return account;
  const { balance } = account.value;
  return succeed(buildAlready({ type: typeOf(response), userId: response.user_id, balance }));
}

function typeOf({ endpoint_category }: StoredResponse): MailType {
  return endpoint_category === "letters" ? "letter" : "postcard";
}

async function cancelCopy(copy: StoredResponse, viewer: Viewer): Promise<Outcome<CancelResult>> {
  const mailItemId = parseMailId(copy.response_data);
  const cancelled = await cancelMail({ userId: copy.user_id, mailItemId, type: typeOf(copy) }, viewer);
  if (cancelled.ok && cancelled.value.kind !== "pending") {
    // If this fails, the next attempt sets it without a second cancel or refund.
    await withDatabase((db) => flagCopy(db, copy.id, `Cancelled by ${viewer.displayName}`));
  }
  return cancelled;
}

/** Parses the provider's id from a stored answer, with or without its envelope; null for none. */
function parseMailId(answer: unknown): string | null {
  const outer = parseRecord(answer);
  const { id } = parseRecord("data" in outer ? outer.data : outer);
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

/** Flags a copy, which belongs to no piece. The flag of a piece's own response is read from the piece. */
async function flagCopy(db: Db, id: string, reason: string): Promise<void> {
  await db.$executeRaw`
    UPDATE responses SET is_cancelled = true, cancelled_at = now(), cancellation_reason = ${reason}
    WHERE id = ${id} AND NOT is_cancelled`;
}
