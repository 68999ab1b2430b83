import { reconcileCheckouts } from "~/credits/reconcile-checkouts.server";
import { reconcileCancels } from "~/mail/reconcile-cancels.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { hearEarlyNews } from "./early-pieces.server";
import { keepPiecePdfs } from "./piece-pdf.server";
import { reconcileSends } from "./reconcile-sends.server";
import { saveSettledSends } from "./save-sends.server";

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
