import { findReleaseRule, isOpen, type PieceState, type ReleaseCause } from "~/pieces/states";
import { Prisma } from "../../../prisma/client/client";
import type { ProblemCode } from "../bulk-list";
import { PROVIDER_NO_ANSWER, REFUSED_WITHOUT_REASON } from "../messages";

const OUT_OF_FUNDS_NOTE =
  "The provider's account is out of funds; your credits are not affected. Top it up there, then resume.";
const KEY_REFUSED_NOTE = "The provider refuses the server's key. Correct the key, then resume.";

export interface RowPiece {
  id: string;
  state: PieceState;
  cause: ReleaseCause | null;
  answerStatus: number | null;
  note: string | null;
  /** The person who ended its retries. */
  endedBy: string | null;
}

export const SELECT_ROW_PIECE = Prisma.sql`
  id, state, release_cause AS cause, answer_status AS "answerStatus", note,
  coalesce((SELECT display_name FROM users WHERE users.id = given_up_by), given_up_by) AS "endedBy"`;

/**
 * `checking`: unknown, or a person has to decide. `sent`: see its piece. `refused`: not sent again without a person. `again`: not mailed
 * for a reason that does not concern the row; the list pauses (`pause`) or waits (`wait`). `released`: its piece was released, so the
 * next attempt has a new key.
 */
export type RowOutcome =
  | { kind: "checking" | "sent"; pieceId: string }
  | { kind: "refused"; pieceId: string | null; problem: string; code?: ProblemCode }
  | { kind: "again"; released: boolean; pause: string }
  | { kind: "again"; released: boolean; pause: null; wait: string };

/** Statuses of refusals that every row of the list would get. */
const PAUSING = new Map([
  [402, OUT_OF_FUNDS_NOTE],
  [401, KEY_REFUSED_NOTE],
  [403, KEY_REFUSED_NOTE],
]);

/** Finds the outcome of a row from its piece. */
export function findRowOutcome({ id, state, cause, answerStatus, note, endedBy }: RowPiece): RowOutcome {
  if (isOpen(state)) return { kind: "checking", pieceId: id };
  if (state !== "refused") return { kind: "sent", pieceId: id };
  if (findReleaseRule(cause).row === "ready") {
    const wait = cause === "rate_limited" ? "The provider's rate limit is used up." : PROVIDER_NO_ANSWER;
    return { kind: "again", released: true, pause: null, wait };
  }
  const pause = cause === "refused" ? PAUSING.get(answerStatus ?? 0) : undefined;
  if (pause !== undefined) return { kind: "again", released: true, pause };
  const ended = cause === "given_up" && endedBy !== null;
  return {
    kind: "refused",
    pieceId: id,
    problem: ended ? `Ended by ${endedBy}: not mailed.` : (note ?? REFUSED_WITHOUT_REASON),
  };
}
