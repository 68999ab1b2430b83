import type { Viewer } from "~/people/viewer.server";
import { cancelSend } from "~/pieces/cancel/cancel-mail.server";
import { type CancelCase, findCasesByIds } from "~/pieces/cancel/cancel-transitions.server";
import { quoteCancel } from "~/pieces/cancel/quote-cancel.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { findCancelObstacle } from "~/pieces/mail-item";
import { isTooLate } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import type { Flash } from "~/platform/http/flash.server";
import type { Confirmation } from "./mail-view";
import {
  type CancelSummary,
  formatCancelledSeveral,
  formatCancelSeveral,
  formatCancelTitle,
} from "./messages";

/** One answer of ours takes no longer. */
const TIME_LIMIT_MS = 20_000;

/**
 * What cancelling these pieces would do, asked in one question; the provider is asked for their statuses first. Null where
 * a piece that was asked for alone is not there or cannot be cancelled.
 */
export async function askToCancel(ids: string[], viewer: Viewer): Promise<Confirmation | null> {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return askToCancelOne(only);
  const refreshed = await refreshStatus(ids, viewer);
  const title = formatCancelTitle(ids.length, null);
  const several = { ids, userId: "", title };
  if (!refreshed.ok) return { ...several, message: refreshed.failure.message, possible: false };
  const found = await withDatabase((db) => findCasesByIds(db, ids));
  if (!found.ok) return { ...several, message: found.failure.message, possible: false };
  const possible = found.value.filter((piece) => findObstacle(piece) === null);
  if (possible.length === 0)
    return {
      ...several,
      message:
        "None of these can be cancelled: they are tests, cancelled already, or not known to be mailed.",
      possible: false,
    };
  return {
    ...several,
    ids: possible.map(({ id }) => id),
    title: formatCancelTitle(possible.length, null),
    message: formatCancelSeveral({
      accounts: sumByPayer(possible),
      late: possible.filter(({ status }) => isTooLate(status)).length,
      impossible: ids.length - possible.length,
    }),
    possible: true,
  };
}

async function askToCancelOne(id: string): Promise<Confirmation | null> {
  const message = await quoteCancel(id);
  const found = await withDatabase((db) => findCasesByIds(db, [id]));
  const [piece] = found.ok ? found.value : [];
  if (!piece || findObstacle(piece) !== null) return null;
  return {
    ids: [id],
    userId: piece.userId,
    title: formatCancelTitle(1, piece),
    message,
    possible: true,
  };
}

/** Cancels these pieces, one after the other, for at most 20 s, and says in one message what became of them. */
export async function cancelChosen(ids: string[], viewer: Viewer): Promise<Flash> {
  const startedAt = performance.now();
  const summary: CancelSummary = {
    cancelled: 0,
    refunded: 0,
    balance: null,
    pending: 0,
    failures: [],
    left: 0,
  };
  for (const [place, id] of ids.entries()) {
    if (performance.now() - startedAt > TIME_LIMIT_MS) {
      summary.left = ids.length - place;
      break;
    }
    const done = await cancelSend(id, viewer);
    if (!done.ok) summary.failures.push(done.failure.message);
    else if (done.value.kind === "pending") summary.pending += 1;
    else {
      summary.cancelled += 1;
      summary.refunded += done.value.refund?.creditsRefunded ?? 0;
      summary.balance = done.value.refund?.newBalance ?? summary.balance;
    }
  }
  const clean = summary.failures.length + summary.pending + summary.left === 0;
  const tone = clean ? "ok" : summary.cancelled + summary.pending > 0 ? "info" : "bad";
  return { tone, message: formatCancelledSeveral(summary) };
}

function findObstacle({ isTest, providerId, state }: CancelCase): string | null {
  const [isCancelled, isCancelling] = [state === "cancelled", state === "cancelling"];
  return findCancelObstacle({ isTest, mailItemId: providerId, isCancelled, isCancelling });
}

/** What each payer would get back, and would then have. */
function sumByPayer(pieces: CancelCase[]): { refund: number; balance: number; held: number }[] {
  const accounts = new Map<string, { refund: number; balance: number; held: number }>();
  for (const { userId, charged, balance, held } of pieces) {
    const account = accounts.get(userId) ?? { refund: 0, balance, held };
    accounts.set(userId, { refund: account.refund + charged, balance: account.balance + charged, held });
  }
  return [...accounts.values()];
}
