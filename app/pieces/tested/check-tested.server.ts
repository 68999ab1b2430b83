import { withDatabase } from "~/platform/database/database.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { endSentence } from "../messages";
import type { MailCall } from "../send/mail-call.server";
import { OWN_KEYS } from "../send/send-id.server";
import { formatDifferences, listDifferences } from "./tested-changes";
import {
  findTestedPiece,
  hashTestedCall,
  TESTED_PIECE_HOURS,
  type TestedPieceRecord,
} from "./tested-record.server";

const TEST_AGAIN = "Test it again, then send it live.";
export const ONLY_LIVE_FROM_TESTED = `A tested piece can only be sent as live mail. ${NOTHING_DONE}`;
export const TESTED_PIECE_NOT_FOUND = `You have no such tested piece. ${NOTHING_DONE} ${TEST_AGAIN}`;

/**
 * Checks that this live call is the tested one with `test` off and nothing else changed. Returns the key to send it with.
 * Fails with `bad_input`, `not_found` (missing, or another person's), `not_configured` or `database_unavailable`;
 * nothing was sent then.
 */
export async function checkTestedPiece(
  call: MailCall,
  testedPieceId: string,
  who: { actorId: string; payerId: string },
): Promise<Outcome<Pick<TestedPieceRecord, "recipientDetails"> & { idempotencyKey: string }>> {
  if (!call.live) return fail("bad_input", ONLY_LIVE_FROM_TESTED);
  const found = await withDatabase((db) => findTestedPiece(db, testedPieceId));
  if (!found.ok) {
    const { code, message, details } = found.failure;
    const text = `The tested piece cannot be checked: ${endSentence(message)} ${NOTHING_DONE}`;
    return fail(code, text, details);
  }
  const tested = found.value;
  if (!tested || tested.actorId !== who.actorId) return fail("not_found", TESTED_PIECE_NOT_FOUND);
  const { callHash, partHashes } = hashTestedCall(call, who.payerId);
  if (tested.callHash !== callHash) {
    const changed = listDifferences(
      new Map(Object.entries(tested.partHashes)),
      new Map(Object.entries(partHashes)),
    );
    const names = formatDifferences(changed.length > 0 ? changed : ["the order of its fields"]);
    return fail("bad_input", `This is not what was tested. ${names} ${NOTHING_DONE} ${TEST_AGAIN}`);
  }
  if (tested.old) {
    return fail(
      "bad_input",
      `This test is older than ${TESTED_PIECE_HOURS} hours; prices and designs may have changed. ${NOTHING_DONE} ${TEST_AGAIN}`,
    );
  }
  const { id, refused, recipientDetails } = tested;
  // All senders of a tested piece share the key, so that it is mailed once. A refusal gives it a new key.
  const idempotencyKey = `${OWN_KEYS.tested}${id}${refused === 0 ? "" : `:${refused}`}`;
  return succeed({ idempotencyKey, recipientDetails });
}
