import { Prisma } from "../../prisma/client/client";
import { type PieceState, TRANSITIONS, type Transition } from "./states";

/** For `SET`: the state to which this transition leads. */
export function setStateAfter(transition: Transition): Prisma.Sql {
  const { to } = TRANSITIONS[transition];
  const attempts = to === "sending" ? Prisma.sql`, attempts = 1` : Prisma.empty;
  return Prisma.sql`state = ${stateAfter(transition)}${attempts}`;
}

/** For `VALUES`: the same. An inserted piece that is `reserved` needs 0 `attempts` beside it. */
export function stateAfter(transition: Transition): Prisma.Sql {
  return quote(TRANSITIONS[transition].to);
}

/** For `WHERE`: one of the states from which this transition goes. */
export function isStateBefore(transition: Transition): Prisma.Sql {
  return isState(TRANSITIONS[transition].from);
}

/** For `WHERE`: the cost of the piece is held. The planner finds these few by the index of states. */
export const IS_OPEN = isState(["reserved", "sending", "unknown", "needs_review"]);

/** For `WHERE`: shown as `checking`, because it is not known yet whether it was mailed. */
export const IS_BEING_CHECKED = isState(["reserved", "sending", "unknown"]);

/** For `WHERE`: its send or its cancel is not settled. */
export const IS_UNSETTLED = isState(["reserved", "sending", "unknown", "needs_review", "cancelling"]);

function isState(states: readonly PieceState[]): Prisma.Sql {
  return Prisma.sql`state IN (${Prisma.join(states.map(quote))})`;
}

/** In the text itself, so that the planner sees the names. */
function quote(state: PieceState): Prisma.Sql {
  return Prisma.raw(`'${state}'`);
}
