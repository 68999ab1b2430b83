import type { PieceState } from "~/pieces/states";
import type { ProblemCode } from "../bulk-list";
import {
  KEY_REFUSED_NOTE,
  OUT_OF_FUNDS_NOTE,
  PROVIDER_BUSY,
  PROVIDER_NO_ANSWER,
  REFUSED_WITHOUT_REASON,
} from "./messages";

/** The piece of a row, as far as it decides what becomes of the row. */
export interface RowPiece {
  id: string;
  state: PieceState;
  answerStatus: number | null;
  note: string | null;
}

/**
 * `checking`: its outcome is not known yet. `sent`: its piece tells the rest. `refused`: the provider does not take this
 * row. `again`: it was not mailed for a reason that is none of the row's: `pause` stops the list, else it waits because of
 * `wait`.
 */
export type RowOutcome =
  | { kind: "checking" | "sent"; pieceId: string }
  | { kind: "refused"; pieceId: string | null; problem: string; code?: ProblemCode }
  | { kind: "again"; pause: string }
  | { kind: "again"; pause: null; wait: string };

const OUT_OF_FUNDS = 402;
const KEY_REFUSED = [401, 403];
const RATE_LIMITED = 429;

/** What the piece of a row means for the row and its list. */
export function findRowOutcome({ id, state, answerStatus, note }: RowPiece): RowOutcome {
  if (state === "reserved" || state === "sending" || state === "unknown") {
    return { kind: "checking", pieceId: id };
  }
  if (state !== "refused") return { kind: "sent", pieceId: id };
  // Without an answer it never reached the provider, or was never begun.
  if (answerStatus === null) return { kind: "again", pause: null, wait: PROVIDER_NO_ANSWER };
  if (answerStatus === RATE_LIMITED) return { kind: "again", pause: null, wait: PROVIDER_BUSY };
  if (answerStatus === OUT_OF_FUNDS) return { kind: "again", pause: OUT_OF_FUNDS_NOTE };
  if (KEY_REFUSED.includes(answerStatus)) return { kind: "again", pause: KEY_REFUSED_NOTE };
  return { kind: "refused", pieceId: id, problem: note ?? REFUSED_WITHOUT_REASON };
}
