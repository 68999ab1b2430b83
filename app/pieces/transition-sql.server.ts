import { Prisma } from "../../prisma/client/client";
import { type PieceState, TRANSITIONS, type Transition } from "./states";

/**
 * The states of a piece as table `sends` has them: its column says `held` both for `reserved` and for `sending`, which
 * differ by the number of calls begun, `attempts`. Whoever selects a state takes `SELECT_STATE`, so that our code knows
 * a `PieceState` only. The conditions below name the column without its table; a query that joins another table with a
 * `state`, or checks the books on its own, writes its condition itself and must say `held`.
 */

/** For `SELECT` and `RETURNING`: the state of a piece. */
export const SELECT_STATE = Prisma.sql`
  CASE WHEN state <> 'held' THEN state WHEN attempts = 0 THEN 'reserved' ELSE 'sending' END AS state`;

/** For `SET`: the state to which this transition leads. */
export function setStateAfter(transition: Transition): Prisma.Sql {
  const { to } = TRANSITIONS[transition];
  const attempts: Prisma.Sql = to === "sending" ? Prisma.sql`, attempts = 1` : Prisma.empty;
  return Prisma.sql`state = ${stateAfter(transition)}${attempts}`;
}

/** For `VALUES`: the same in the column. An inserted piece that is `reserved` needs 0 `attempts` beside it. */
export function stateAfter(transition: Transition): Prisma.Sql {
  return quote(toColumn(TRANSITIONS[transition].to));
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
  const reserved = states.includes("reserved");
  const sending = states.includes("sending");
  const whole = states.filter((state) => toColumn(state) !== "held" || (reserved && sending));
  const columns = [...new Set(whole.map(toColumn))].map(quote);
  const conditions = [
    ...(columns.length > 0 ? [Prisma.sql`state IN (${Prisma.join(columns)})`] : []),
    ...(reserved && !sending ? [Prisma.sql`(state = 'held' AND attempts = 0)`] : []),
    ...(sending && !reserved ? [Prisma.sql`(state = 'held' AND attempts > 0)`] : []),
  ];
  return Prisma.sql`(${Prisma.join(conditions, " OR ")})`;
}

function toColumn(state: PieceState): string {
  return state === "reserved" || state === "sending" ? "held" : state;
}

/** States are names of our own; in the text itself, so that the planner sees them. */
function quote(state: string): Prisma.Sql {
  return Prisma.raw(`'${state}'`);
}
