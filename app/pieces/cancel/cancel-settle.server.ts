import type { CancelOutcome, PieceLook } from "~/outside/mail-provider/piece.server";
import { storeAfterCall } from "~/platform/database/store-after-call.server";
import { type Failure, fail, type Outcome, succeed } from "~/platform/outcome";
import { RECOVERY } from "../event-sources";
import { applyStatus } from "../events/apply-event.server";
import { isCancelledWord, parseStatus } from "../status";
import { loadProviderStatus } from "./cancel-call.server";
import type { CancelResult } from "./cancel-result";
import {
  type CancelCase,
  type CancelledBy,
  confirmCancel,
  dropCancel,
  findCaseById,
  postponeCancel,
  type Refunded,
} from "./cancel-transitions.server";
import {
  formatCancelInProgress,
  formatCancelLimited,
  formatCancelled,
  formatCancelledBefore,
  formatCancelRefusal,
  formatCancelRefused,
  formatCancelUnclear,
  formatCancelUnknown,
  formatCancelUnreachable,
  formatChargedLess,
  formatRefundDelayed,
} from "./messages";

/** Who asked, and who says what came of it. */
type By = Pick<CancelledBy, "actorId" | "reason" | "source">;

const FIRST_CHECK_SECONDS = 1;

/**
 * Stores what the provider answered to the claim `piece.attempts` of a cancel. While the database is away
 * nothing is: the send stays `cancelling`, and recovery asks the provider again.
 */
export async function settleCancel(
  piece: CancelCase,
  outcome: CancelOutcome,
  by: By,
  waitSeconds = FIRST_CHECK_SECONDS,
): Promise<Outcome<CancelResult>> {
  const { type } = piece;
  switch (outcome.kind) {
    case "cancelled":
      return settleCancelled(piece, by);
    case "refused": {
      // It may be refused because it is cancelled already: by us, in a call that was never answered, or by others.
      const found = outcome.byKey ? null : await loadProviderStatus(piece);
      if (found?.kind === "found" && isCancelledWord(found.status)) return settleCancelled(piece, by);
      if (isStillOpen(found, by)) {
        const happened = formatCancelUnclear(type);
        return postpone(piece, happened, waitSeconds);
      }
      const message = formatCancelRefused(type, outcome.reason);
      const note = formatCancelRefusal(outcome.reason);
      return giveBack(piece, fail("provider_refused", message).failure, found, note);
    }
    case "rate_limited": {
      const message = formatCancelLimited(type, outcome.waitSeconds);
      return giveBack(piece, fail("rate_limited", message).failure, null);
    }
    case "never_sent": {
      const message = formatCancelUnreachable(type, outcome.reason);
      return giveBack(piece, fail("provider_unreachable", message).failure, null);
    }
    case "unknown":
      return postpone(piece, outcome.happened, waitSeconds);
  }
}

/** The provider says it is stopped. */
export async function settleCancelled(piece: CancelCase, by: By): Promise<Outcome<CancelResult>> {
  const stored = await storeAfterCall(async (db) => {
    const refunded = await confirmCancel(db, piece.id, { ...by, saidAt: null });
    return refunded ? { refunded, found: null } : { refunded, found: await findCaseById(db, piece.id) };
  });
  if (!stored.ok) {
    return succeed({ ...buildPending(piece, ""), message: formatRefundDelayed(piece.type) });
  }
  const { refunded, found } = stored.value;
  if (refunded) return succeed(buildCancelled(piece, refunded));
  return buildOvertaken(piece, found);
}

/**
 * True when the piece may be cancelled although the provider refused: an earlier call may have cancelled it, and its
 * status could not be read. During recovery a refused key also leaves this open, because there was an earlier call.
 */
function isStillOpen(found: PieceLook | null, { source }: By): boolean {
  if (found === null) return source === RECOVERY;
  return found.kind === "unclear" || found.kind === "rate_limited";
}

async function postpone(
  piece: CancelCase,
  happened: string,
  waitSeconds: number,
): Promise<Outcome<CancelResult>> {
  // Also when this cannot be noted: the lease runs out by itself.
  await storeAfterCall((db) => postponeCancel(db, piece, waitSeconds, happened));
  return succeed(buildPending(piece, happened));
}

/** Not stopped: it is mail as before. What the provider said of it on the way is kept. */
async function giveBack(
  piece: CancelCase,
  failure: Failure,
  found: PieceLook | null,
  note = failure.message,
): Promise<Outcome<CancelResult>> {
  const done = await storeAfterCall(async (db) => {
    const returned = await dropCancel(db, piece, note);
    const status = found?.kind === "found" ? parseStatus(found.status) : null;
    if (status !== null && found?.kind === "found") {
      await applyStatus(db, piece.id, { status, source: "cancel", saidAt: found.saidAt });
    }
    return returned ? null : { found: await findCaseById(db, piece.id) };
  });
  if (!done.ok) return succeed(buildPending(piece, failure.message));
  return done.value === null ? { ok: false, failure } : buildOvertaken(piece, done.value.found);
}

/** Another process has settled it: by a webhook, a refresh, or after it took the cancel over. */
function buildOvertaken(piece: CancelCase, found: CancelCase | null): Outcome<CancelResult> {
  if (found?.state !== "cancelled") return failInProgress(piece);
  return succeed(found.attempts === piece.attempts ? buildCancelled(found, found) : buildAlready(found));
}

export function failInProgress({ type }: Pick<CancelCase, "type">): Outcome<never> {
  return fail("in_progress", formatCancelInProgress(type));
}

/** It was cancelled before: nothing is refunded a second time. */
export function buildAlready({
  type,
  userId,
  balance,
}: Pick<CancelCase, "type" | "userId" | "balance">): CancelResult {
  return {
    kind: "already",
    type,
    userId,
    message: formatCancelledBefore(type),
    refund: { creditsRefunded: 0, newBalance: balance },
    warning: null,
  };
}

function buildCancelled({ type, userId, cost }: CancelCase, { charged, balance }: Refunded): CancelResult {
  return {
    kind: "cancelled",
    type,
    userId,
    message: formatCancelled(type),
    refund: { creditsRefunded: charged, newBalance: balance },
    warning: charged < cost ? formatChargedLess(cost, charged) : null,
  };
}

function buildPending({ type, userId }: CancelCase, happened: string): CancelResult {
  return {
    kind: "pending",
    type,
    userId,
    message: formatCancelUnknown(type, happened),
    refund: null,
    warning: null,
  };
}
