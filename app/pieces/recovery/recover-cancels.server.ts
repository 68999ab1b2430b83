import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { succeed } from "~/platform/outcome";
import { callCancelling, fetchProviderStatus } from "../cancel/cancel-call.server";
import { settleCancel, settleCancelled } from "../cancel/cancel-settle.server";
import {
  claimDueCancels,
  type DueCancel,
  dropCancel,
  postponeCancel,
} from "../cancel/cancel-transitions.server";
import { applyStatus } from "../events/apply-event.server";
import { cancelLeaseMs } from "../lease.server";
import { alarmPiece, RECOVERY } from "../piece-events.server";
import { isCancelledWord, isStillWaiting, isTooLate, parseStatus } from "../status";
import { chooseWait, type Leased, listRecoveryTasks } from "./recovery-tasks.server";

/** At this age a cancel is given up; cancelling again asks again. */
const GIVE_UP_SECONDS = 24 * 3_600;

/**
 * Recovers cancels that no process works on, because the provider did not answer, the database was away or the
 * process died. Fetches the status. Cancelled: refunds the credits, once. In production or later: too late, it is
 * mail again. Still waiting: cancels again, which is idempotent. After a day without a clear status it is mail again
 * and stays charged, with an alarm. Any number of processes may do this at once.
 */
export function listCancelRecoveries(): BackgroundTask<Leased<DueCancel>>[] {
  return listRecoveryTasks({
    name: "recover_cancels",
    // A status request, a cancel, and a later status request.
    leaseMs: () => cancelLeaseMs(2),
    claim: claimDueCancels,
    async work(due) {
      const settled = await settleDue(due);
      log.info("cancel.recovered", { sendId: due.id, outcome: settled });
      return succeed(null);
    },
  });
}

async function settleDue(due: Leased<DueCancel>): Promise<string> {
  const by = { actorId: "system", source: RECOVERY, reason: due.reason } as const;
  const found = await fetchProviderStatus(due);
  const status = found.kind === "found" ? parseStatus(found.status) : null;
  if (found.kind !== "found" || status === null) {
    return waitOrGiveUp(due, found.kind === "rate_limited" ? found.waitSeconds : undefined);
  }
  if (isCancelledWord(status)) {
    await settleCancelled(due, by);
    return "cancelled";
  }
  if (isStillWaiting(status)) {
    if (due.ageSeconds > GIVE_UP_SECONDS) return waitOrGiveUp(due);
    const { outcome } = await callCancelling(due, due.time);
    // Not done, so it is requested again later.
    if (outcome.kind === "rate_limited") return waitOrGiveUp(due, outcome.waitSeconds);
    if (outcome.kind === "never_sent") return waitOrGiveUp(due);
    await settleCancel(due, outcome, by, chooseWait(due.ageSeconds));
    return outcome.kind;
  }
  if (!isTooLate(status)) return waitOrGiveUp(due);
  const note = `The provider says ${status}: too late to cancel this ${due.type}. Nothing was refunded.`;
  await withDatabase(async (db) => {
    await applyStatus(db, due.id, { status, source: RECOVERY, reportedAt: found.reportedAt });
    await dropCancel(db, due, note);
  });
  return "too late";
}

/** @param askedSeconds the wait that the provider requested */
async function waitOrGiveUp(due: DueCancel, askedSeconds?: number): Promise<string> {
  if (due.ageSeconds < GIVE_UP_SECONDS) {
    const waitSeconds = chooseWait(due.ageSeconds, askedSeconds);
    const note = "The provider could not tell yet whether it was cancelled.";
    await withDatabase((db) => postponeCancel(db, due, waitSeconds, note));
    return "postponed";
  }
  const note = `The provider could not be asked within a day whether this ${due.type} was cancelled. It counts as mailed and stays charged; cancel it again to ask again.`;
  await withDatabase((db) =>
    db.$transaction(async (tx) => {
      if (!(await dropCancel(tx, due, note))) return;
      await alarmPiece(tx, due.id, { kind: "cancel_given_up", text: note, source: RECOVERY });
    }),
  );
  return "given up";
}
