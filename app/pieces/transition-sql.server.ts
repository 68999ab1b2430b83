import { Prisma } from "../../prisma/client/client";
import { type PieceState, TRANSITIONS, type Transition } from "./states";

export function setStateAfter(transition: Transition): Prisma.Sql {
  const { to } = TRANSITIONS[transition];
  const attempts = to === "sending" ? Prisma.sql`, attempts = 1` : Prisma.empty;
  return Prisma.sql`state = ${stateAfter(transition)}${attempts}`;
}

/** The state to which this transition leads. A piece inserted as `reserved` needs 0 `attempts`. */
export function stateAfter(transition: Transition): Prisma.Sql {
  return quote(TRANSITIONS[transition].to);
}

export function isStateBefore(transition: Transition): Prisma.Sql {
  return isState(TRANSITIONS[transition].from);
}

/** A condition that the cost is held. An index of states finds these few. */
export const IS_OPEN = isState(["reserved", "sending", "unknown", "needs_review"]);

/** A condition that the outcome is unknown, shown as `checking`. */
export const IS_BEING_CHECKED = isState(["reserved", "sending", "unknown"]);

/** A condition that the send or its cancel is not settled. */
export const IS_UNSETTLED = isState(["reserved", "sending", "unknown", "needs_review", "cancelling"]);

/**
 * A condition that the piece `s` was or may be mailed. A release without a cause was disproved, or is
 * older than causes.
 */
export const MAY_BE_MAILED = Prisma.sql`
  (s.state NOT IN ('refused', 'cancelled') OR (s.state = 'refused' AND s.release_cause IS NULL))`;

function isState(states: readonly PieceState[]): Prisma.Sql {
  return Prisma.sql`state IN (${Prisma.join(states.map(quote))})`;
}

/** Writes the state into the text, so that the planner sees it. */
function quote(state: PieceState): Prisma.Sql {
  return Prisma.raw(`'${state}'`);
}
