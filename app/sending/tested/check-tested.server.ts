import { withDatabase } from "~/platform/database/database.server";
import { NOTHING_DONE } from "~/platform/http/body.server";
import { type Failure, fail, type Outcome, succeed } from "~/platform/outcome";
import type { PreparedCall } from "../prepare.server";
import { listDifferences, tellDifferences } from "./tested-parts";
import { findProof, hashProved, PROOF_HOURS, type ProofRecord } from "./tested-record.server";

/** What makes a live send the promotion of a proof. */
export interface Promotion {
  proofId: string;
  /**
   * Of the proof, whoever presses how often: it is one piece. After a refusal, when there is none, it is another key,
   * so that promoting again is a send of its own.
   */
  idempotencyKey: string;
}

const TEST_AGAIN = "Test again to promote.";

/**
 * Looks whether this live call is what the proof proved: the same payload with test off and nothing else changed.
 * Fails with `bad_input`, `not_found` for a proof that is not there or another person's, `not_configured`, or
 * `database_unavailable`; nothing has gone out then.
 */
export async function checkPromotion(
  call: PreparedCall,
  proofId: string,
  who: { actorId: string; payerId: string },
): Promise<Outcome<Promotion>> {
  if (call.class.kind !== "mail" || !call.live) {
    return fail("bad_input", `Only live mail can be promoted from a proof. ${NOTHING_DONE}`);
  }
  const found = await withDatabase((db) => findProof(db, proofId));
  if (!found.ok) return explainOutage(found.failure);
  const proof = found.value;
  if (!proof || proof.actorId !== who.actorId) {
    return fail("not_found", `There is no such proof of yours. ${NOTHING_DONE} ${TEST_AGAIN}`);
  }
  const { callHash, partHashes } = hashProved(call, who.payerId);
  if (proof.callHash !== callHash) {
    const changed = listDifferences(
      new Map(Object.entries(proof.partHashes)),
      new Map(Object.entries(partHashes)),
    );
    const what = tellDifferences(changed.length > 0 ? changed : ["the order of its fields"]);
    return fail("bad_input", `This is not what was proved. ${what} ${NOTHING_DONE} ${TEST_AGAIN}`);
  }
  if (proof.old) {
    return fail(
      "bad_input",
      `This proof is older than ${PROOF_HOURS} hours, and prices and designs change. ${NOTHING_DONE} ${TEST_AGAIN}`,
    );
  }
  return succeed({ proofId, idempotencyKey: nameKey(proof) });
}

function nameKey({ id, refused }: ProofRecord): string {
  return refused === 0 ? `proof:${id}` : `proof:${id}:${refused}`;
}

function explainOutage(failure: Failure): Outcome<never> {
  const { code, message, details } = failure;
  return fail(code, `The proof cannot be looked up: ${message}. ${NOTHING_DONE}`.replace("..", "."), details);
}
