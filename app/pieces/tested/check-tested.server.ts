import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { MailCall } from "../send/mail-call.server";
import { OWN_KEYS } from "../send/send-id.server";
import {
  formatNotAsTested,
  formatTestNotChecked,
  formatTestTooOld,
  ONLY_LIVE_FROM_TESTED,
  TESTED_PIECE_NOT_FOUND,
} from "./messages";
import { listDifferences } from "./tested-changes";
import {
  findTestedPiece,
  hashTestedCall,
  TESTED_PIECE_HOURS,
  type TestedPieceRecord,
} from "./tested-record.server";

/** A live send of a tested piece. */
export interface TestedSend {
  testedPieceId: string;
  /** The same for everybody who sends this tested piece, so it is mailed once. A refused send gives it a new key. */
  idempotencyKey: string;
  recipientDetails: TestedPieceRecord["recipientDetails"];
}

/**
 * Checks that this live call is the tested one with `test` off and nothing else changed.
 * Fails with `bad_input`, `not_found` (missing, or another person's), `not_configured` or `database_unavailable`;
 * nothing was sent then.
 */
export async function checkTestedPiece(
  call: MailCall,
  testedPieceId: string,
  who: { actorId: string; payerId: string },
): Promise<Outcome<TestedSend>> {
  if (!call.live) return fail("bad_input", ONLY_LIVE_FROM_TESTED);
  const found = await withDatabase((db) => findTestedPiece(db, testedPieceId));
  if (!found.ok) {
    const { code, message, details } = found.failure;
    return fail(code, formatTestNotChecked(message), details);
  }
  const tested = found.value;
  if (!tested || tested.actorId !== who.actorId) return fail("not_found", TESTED_PIECE_NOT_FOUND);
  const { callHash, partHashes } = hashTestedCall(call, who.payerId);
  if (tested.callHash !== callHash) {
    const changed = listDifferences(
      new Map(Object.entries(tested.partHashes)),
      new Map(Object.entries(partHashes)),
    );
    return fail("bad_input", formatNotAsTested(changed.length > 0 ? changed : ["the order of its fields"]));
  }
  if (tested.old) return fail("bad_input", formatTestTooOld(TESTED_PIECE_HOURS));
  return succeed({
    testedPieceId,
    idempotencyKey: formatKey(tested),
    recipientDetails: tested.recipientDetails,
  });
}

function formatKey({ id, refused }: TestedPieceRecord): string {
  const key = `${OWN_KEYS.tested}${id}`;
  return refused === 0 ? key : `${key}:${refused}`;
}
