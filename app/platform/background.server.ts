import { reconcileCheckouts } from "~/credits/purchases/recover-checkouts.server";
import { hearEarlyNews } from "~/pieces/events/apply-pending-events.server";
import { keepPiecePdfs } from "~/pieces/provider-pdf.server";
import { reconcileCancels } from "~/pieces/recovery/recover-cancels.server";
import { reconcileSends } from "~/pieces/recovery/recover-sends.server";
import { saveSettledSends } from "~/pieces/send/store-responses.server";
import { env } from "./env.server";
import { log } from "./log.server";

/** On `globalThis`, because a module loaded anew in development must not start a second loop beside the first. */
const shared = globalThis as typeof globalThis & { mailroomReconciler?: { stop: () => void } };

/**
 * Settles unfinished sends, cancels and payments, and stores what responses of sends and PDFs of pieces are missing, in the background
 * every `RECONCILE_INTERVAL_MS`, never two rounds at once in one process. Off with 0, and without a database.
 */
export function startReconciler(): void {
  const { reconcileIntervalMs, database } = env();
  shared.mailroomReconciler?.stop();
  if (reconcileIntervalMs === 0 || database.kind === "none") return;
  let timer: NodeJS.Timeout;
  let stopped = false;
  const plan = () => {
    if (!stopped) timer = setTimeout(round, reconcileIntervalMs).unref();
  };
  const round = async () => {
    for (const task of [
      reconcileSends,
      hearEarlyNews,
      saveSettledSends,
      reconcileCancels,
      reconcileCheckouts,
      keepPiecePdfs,
    ]) {
      try {
        await task();
      } catch (error) {
        log.error("reconciling failed", { errorName: error instanceof Error ? error.name : "unknown" });
      }
    }
    plan();
  };
  shared.mailroomReconciler = {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
  plan();
}
