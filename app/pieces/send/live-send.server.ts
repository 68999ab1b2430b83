import { pieceNeedsApproval } from "~/credits/approval-limit.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { sendLeaseMs, startCallTime } from "../lease.server";
import { formatDailyLimit, formatNeedsApproval } from "./daily-limit.server";
import { freezePiece, type LivePiece } from "./live-piece.server";
import type { MailCall } from "./mail-call.server";
import {
  checkEarlier,
  DATABASE_DOWN,
  type Earlier,
  IN_PROGRESS,
  type Opened,
  openPiece,
} from "./open-piece.server";
import {
  type CallResult,
  callWithPiece,
  treatKeyConflictAsUnknown,
  whileUnderWay,
} from "./piece-call.server";
import type { OpenOrder } from "./piece-order";
import { beginSend } from "./send-transitions.server";
import { releaseUnconfirmed, type Settled, settleFirstCall } from "./settle.server";

const UNKNOWN_PAYER = `The user who should pay does not exist. ${NOTHING_DONE}`;
const LIVE_NEEDS_DATABASE = `Live mail needs a database, and none is configured. ${NOTHING_DONE}`;

/** The outcome of live mail that was not refused before its credits were checked. */
export type LiveOutcome =
  /** The provider was called. `settled` is stored, or will be. */
  | { kind: "called"; piece: LivePiece; tried: CallResult; settled: Settled }
  /** The database did not confirm the start, so this process did not call. Recovery finishes it. */
  | { kind: "unconfirmed"; piece: LivePiece }
  /** The payer has too few credits, or the same piece was sent before. */
  | (Extract<Opened, { kind: "short" | "duplicate" }> & { piece: LivePiece })
  /** The key was used before, for the same request. */
  | { kind: "earlier"; earlier: Earlier };

/**
 * Sends live mail: holds the cost, calls the provider, then settles. Fails before anything is sent with `not_found`
 * (payer), `limit_reached`, `needs_approval`, `key_reused`, `in_progress`, `database_unavailable`, or `not_configured` without a
 * database, which could neither charge it nor find it again.
 */
export async function sendLive(call: MailCall, order: OpenOrder): Promise<Outcome<LiveOutcome>> {
  if (env().database.kind === "none") return fail("not_configured", LIVE_NEEDS_DATABASE);
  const piece = await freezePiece(call, order);
  // The rows of a list were approved with it.
  if (order.creditReservationId === null && pieceNeedsApproval(piece.cost)) {
    return fail("needs_approval", formatNeedsApproval(piece));
  }
  const opened = await openPiece(piece, call);
  if (!opened.ok) {
    releaseUnconfirmed(piece.send);
    return fail("database_unavailable", DATABASE_DOWN, opened.failure.details);
  }
  switch (opened.value.kind) {
    case "over_limit":
      return fail("limit_reached", formatDailyLimit(piece, opened.value.exceeded));
    case "unknown_payer":
      return fail("not_found", UNKNOWN_PAYER);
    case "short":
    case "duplicate":
      return succeed({ ...opened.value, piece });
    case "earlier": {
      const earlier = checkEarlier(opened.value, piece.send.requestHash);
      return earlier.ok ? succeed({ kind: "earlier", earlier: earlier.value }) : earlier;
    }
    case "in_progress":
      return fail("in_progress", IN_PROGRESS);
    case "open": {
      const { piece } = opened.value;
      return whileUnderWay(piece.id, () => callAndSettle(piece));
    }
  }
}

async function callAndSettle(piece: LivePiece): Promise<Outcome<LiveOutcome>> {
  const { id, userId, path, frozen, send, order } = piece;
  const time = startCallTime();
  const begun = await withDatabase((db) => beginSend(db, send, sendLeaseMs()));
  // After a late answer the lease may be over, and another process would call too.
  if (!begun.ok || (begun.value && time.leftMs() <= 0)) return succeed({ kind: "unconfirmed", piece });
  if (!begun.value) return fail("database_unavailable", DATABASE_DOWN);
  const called = await callWithPiece(frozen, { userId, providerPath: path, sendId: id }, { time });
  const tried = treatKeyConflictAsUnknown(called);
  const settled = await settleFirstCall(send, order.viewer, tried);
  return succeed({ kind: "called", piece, tried, settled });
}
