import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseRecord } from "~/platform/json-value";
import { fail, type Outcome } from "~/platform/outcome";
import { findCancelProblem } from "~/responses/cancel-rule";
import { flagCopy } from "~/responses/flag-cancelled.server";
import { findResponse } from "~/responses/search/list-responses.server";
import type { StoredResponse } from "~/responses/stored-response";
import type { MailType } from "../mail-type";
import { cancelMail, cancelSend } from "./cancel-mail.server";
import type { CancelResult } from "./cancel-result";

const FAILED = "Failed to cancel mail item";

/**
 * Cancels the letter or postcard that a stored response tells of and refunds it, as {@link cancelMail} does; the
 * rule is spec §4's. A copy is cancelled by the provider's id that it holds. Fails with `not_found`, with `bad_input`
 * where the rule forbids it, and as `cancelMail`.
 */
export async function cancelResponse(id: string, viewer: Viewer): Promise<Outcome<CancelResult>> {
  const found = await findResponse(id);
  if (!found.ok) return found;
  const response = found.value;
  if (response === null) {
    return fail("not_found", `${FAILED}: there is no stored response with this id. Nothing was cancelled.`);
  }
  const reason = findCancelProblem(response);
  if (reason !== null) return fail("bad_input", `${FAILED}: ${reason} Nothing was cancelled.`);
  const cancelled = response.send_id
    ? await cancelSend(response.send_id, viewer)
    : await cancelCopy(response, viewer);
  if (cancelled.ok) return cancelled;
  const { code, message, details } = cancelled.failure;
  return fail(code, `${FAILED}: ${message}`, details);
}

async function cancelCopy(copy: StoredResponse, viewer: Viewer): Promise<Outcome<CancelResult>> {
  const type: MailType = copy.endpoint_category === "letters" ? "letter" : "postcard";
  const mailItemId = readMailId(copy.response_data);
  const cancelled = await cancelMail({ userId: copy.user_id, mailItemId, type }, viewer);
  if (cancelled.ok && cancelled.value.kind !== "pending") {
    // Where this fails the next press sets it: nothing is cancelled or refunded a second time.
    await withDatabase((db) => flagCopy(db, copy.id, `Cancelled by ${viewer.displayName}`));
  }
  return cancelled;
}

/** The provider's id in a stored answer, with or without its envelope; null for none. */
function readMailId(answer: unknown): string | null {
  const outer = parseRecord(answer);
  const { id } = parseRecord("data" in outer ? outer.data : outer);
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}
