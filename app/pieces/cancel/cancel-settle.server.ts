import { formatCredits } from "~/credits/format-credits";
import type { CancelOutcome, FetchedPiece } from "~/outside/mail-provider/piece.server";
import { storeAfterCall } from "~/platform/database/database.server";
import { type Flash, toFlash } from "~/platform/http/flash.server";
import { type Failure, fail, type Outcome, succeed } from "~/platform/outcome";
import { capitalise, endSentence } from "~/platform/sentence";
import { applyStatus } from "../events/apply-event.server";
import type { MailType } from "../mail-type";
import { RECOVERY } from "../piece-events.server";
import { isCancelledWord, parseStatus } from "../status";
import { fetchProviderStatus } from "./cancel-call.server";
import {
  type CancelCase,
  type CancelledBy,
  confirmCancel,
  dropCancel,
  findCaseById,
  postponeCancel,
  type Refunded,
} from "./cancel-transitions.server";

export interface CancelResult {
  /**
   * `cancelled`: by this request. `already`: earlier, so nothing was refunded again. `pending`: the provider has not
   * confirmed it, or the refund is not stored yet; recovery settles both.
   */
  kind: "cancelled" | "already" | "pending";
  type: MailType;
  userId: string;
  message: string;
  /** Null while the cancel is not confirmed. */
  refund: { creditsRefunded: number; newBalance: number } | null;
  warning: string | null;
}

/** The person who asked for the cancel, and the source of its outcome. */
type By = Pick<CancelledBy, "actorId" | "reason" | "source">;

const FIRST_CHECK_SECONDS = 1;

/**
 * Stores the provider's answer to the claim `piece.attempts` of a cancel. If the database is away, the send stays
 * `cancelling`, and recovery asks the provider again.
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
      // The refusal may mean that it is cancelled already: by us, in a call that was never answered, or by others.
      const found = outcome.byKey ? null : await fetchProviderStatus(piece);
      if (found?.kind === "found" && isCancelledWord(found.status)) return settleCancelled(piece, by);
      if (isStillOpen(found, by)) {
        const happened = `The provider did not cancel this ${type}, and could not say where it is.`;
        return postpone(piece, happened, waitSeconds);
      }
      const reason = endSentence(outcome.reason);
      const message = `Not cancelled: ${reason} No refund for this ${type}.`;
      return giveBack(piece, { code: "provider_refused", message }, found, `Refused: ${reason}`);
    }
    case "rate_limited": {
      const message = `The provider's rate limit is used up, so this ${type} was not cancelled. Nothing was changed; try again in ${outcome.waitSeconds} s.`;
      return giveBack(piece, { code: "rate_limited", message }, null);
    }
    case "never_sent": {
      const message = `The provider could not be reached: ${outcome.reason}. This ${type} was not cancelled and nothing was refunded; try again in a moment.`;
      return giveBack(piece, { code: "provider_unreachable", message }, null);
    }
    case "unknown":
      return postpone(piece, outcome.happened, waitSeconds);
  }
}

/** Stores that the provider cancelled a piece, with its one refund, which follows when the database is away. */
export async function settleCancelled(piece: CancelCase, by: By): Promise<Outcome<CancelResult>> {
  const stored = await storeAfterCall(async (db) => {
    const refunded = await confirmCancel(db, piece.id, { ...by, reportedAt: null });
    return refunded ? { refunded, found: null } : { refunded, found: await findCaseById(db, piece.id) };
  });
  if (!stored.ok) {
    const message = `The provider cancelled this ${piece.type}. The database became unavailable before the refund, which follows once it is back.`;
    return succeed({ ...buildPending(piece, ""), message });
  }
  const { refunded, found } = stored.value;
  if (refunded) return succeed(buildCancelled(piece, refunded));
  return buildOvertaken(piece, found);
}

/**
 * True when the piece may be cancelled although the provider refused: an earlier call may have cancelled it, and its
 * status could not be read. During recovery a refused key also leaves this open, because there was an earlier call.
 */
function isStillOpen(found: FetchedPiece | null, { source }: By): boolean {
  if (found === null) return source === RECOVERY;
  return found.kind === "unclear" || found.kind === "rate_limited";
}

async function postpone(piece: CancelCase, happened: string, waitSeconds: number) {
  // If this cannot be stored, the lease expires all the same.
  await storeAfterCall((db) => postponeCancel(db, piece, waitSeconds, happened));
  return succeed(buildPending(piece, happened));
}

/** Ends a cancel that did not happen: the piece is mail as before. Stores the status that the provider named. */
async function giveBack(
  piece: CancelCase,
  failure: Failure,
  found: FetchedPiece | null,
  note = failure.message,
): Promise<Outcome<CancelResult>> {
  const done = await storeAfterCall(async (db) => {
    const returned = await dropCancel(db, piece, note);
    const status = found?.kind === "found" && parseStatus(found.status);
    if (status) await applyStatus(db, piece.id, { status, source: "cancel", reportedAt: found.reportedAt });
    return returned ? null : { found: await findCaseById(db, piece.id) };
  });
  if (!done.ok) return succeed(buildPending(piece, failure.message));
  return done.value === null ? { ok: false, failure } : buildOvertaken(piece, done.value.found);
}

/** Builds the result when another process settled the cancel: by a webhook, a refresh, or after it claimed the cancel. */
function buildOvertaken(piece: CancelCase, found: CancelCase | null): Outcome<CancelResult> {
  if (found?.state !== "cancelled") return failInProgress(piece);
  return succeed(found.attempts === piece.attempts ? buildCancelled(found, found) : buildAlready(found));
}

export function failInProgress({ type }: Pick<CancelCase, "type">): Outcome<never> {
  return fail(
    "in_progress",
    `This ${type} is being cancelled already. Nothing was done a second time; try again in a moment.`,
  );
}

/** Builds the result for a piece that was cancelled before: nothing is refunded a second time. */
export function buildAlready(piece: Pick<CancelCase, "type" | "userId" | "balance">): CancelResult {
  const { type, userId, balance } = piece;
  const message = `This ${type} was cancelled already; nothing was refunded again`;
  const refund = { creditsRefunded: 0, newBalance: balance };
  return { kind: "already", type, userId, message, refund, warning: null };
}

function buildCancelled({ type, userId, cost }: CancelCase, { charged, balance }: Refunded): CancelResult {
  const message = `${capitalise(type)} cancelled successfully`;
  const refund = { creditsRefunded: charged, newBalance: balance };
  const partly = `It costs ${cost}, but only ${charged} had been charged for it, and that is what was refunded.`;
  return { kind: "cancelled", type, userId, message, refund, warning: charged < cost ? partly : null };
}

function buildPending({ type, userId }: CancelCase, happened: string): CancelResult {
  const message = `${happened} It is not known yet whether this ${type} was cancelled. It is being checked; a refund follows once if it was.`;
  return { kind: "pending", type, userId, message, refund: null, warning: null };
}

/** Formats the message, " - N credits refunded (New balance: M)" and any warning. */
export function formatCancelResult(result: Pick<CancelResult, "message" | "refund" | "warning">): string {
  const { message, refund, warning } = result;
  const credits = refund
    ? ` - ${formatCredits(refund.creditsRefunded)} refunded (New balance: ${refund.newBalance})`
    : "";
  return `${message}${credits}${warning ? `. ${warning}` : ""}`;
}

/** Formats a result for `/api/mail/cancel`; `success` is false while nothing is certain. */
export function toWireCancel({ kind, message, refund, warning }: CancelResult) {
  const pending = kind === "pending";
  return {
    success: !pending,
    message,
    refund,
    warning,
    error: pending ? message : null,
    ...(pending ? { pending: true as const } : {}),
  };
}

export function toCancelFlash(cancelled: Outcome<CancelResult>): Flash {
  if (!cancelled.ok) return toFlash(cancelled);
  const tone = cancelled.value.kind === "pending" || cancelled.value.warning ? "info" : "ok";
  return { tone, message: formatCancelResult(cancelled.value) };
}
