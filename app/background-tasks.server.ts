import { recoverCheckouts } from "~/credits/purchases/recover-checkouts.server";
import { replayRevocations } from "~/people/revoked-sessions.server";
import { applyPendingEvents } from "~/pieces/events/apply-pending-events.server";
import { copyProviderPdfs } from "~/pieces/provider-pdf.server";
import { recoverCancels } from "~/pieces/recovery/recover-cancels.server";
import { recoverSends } from "~/pieces/recovery/recover-sends.server";
import { storeSettledSends } from "~/pieces/send/store-responses.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { expireData } from "~/privacy/expire-data.server";
import { reconcileDaily } from "~/reconciliation/daily/daily-reconciliation.server";
import { replayUnexpectedLive } from "~/sending/unexpected-live.server";

/** All work that is done in the background. The order does not matter. */
export const BACKGROUND_TASKS: readonly BackgroundTask[] = [
  recoverSends,
  applyPendingEvents,
  storeSettledSends,
  recoverCancels,
  recoverCheckouts,
  copyProviderPdfs,
  reconcileDaily,
  replayRevocations,
  replayUnexpectedLive,
  expireData,
];
