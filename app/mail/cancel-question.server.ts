import { formatCredits, formatHeldPart } from "~/credits/format-credits";
import type { Viewer } from "~/people/viewer.server";
import { quoteCancel } from "~/pieces/cancel/cancel-mail.server";
import { type CancelCase, findCasesByIds } from "~/pieces/cancel/cancel-transitions.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { findCancelObstacle } from "~/pieces/mail-item";
import { isTooLate } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { formatCount, formatInteger } from "~/platform/format-integer";

export interface Confirmation {
  /** Ids of the pieces, or the id of the recipient. */
  ids: string[];
  /** Owner of the piece or recipient; "" for several pieces, which may be of several users. */
  userId: string;
  title: string;
  message: string;
  possible: boolean;
}

/**
 * Builds one question that confirms the cancel of these pieces, after their statuses were fetched. Null when a single
 * piece does not exist or cannot be cancelled.
 */
export async function loadCancelQuestion(ids: string[], viewer: Viewer): Promise<Confirmation | null> {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return loadQuestionForOne(only);
  const refuse = (message: string): Confirmation => ({
    ids,
    userId: "",
    title: `Cancel ${formatCount(ids.length, "piece")}?`,
    message,
    possible: false,
  });
  const refreshed = await refreshStatus(ids, viewer);
  if (!refreshed.ok) return refuse(refreshed.failure.message);
  const found = await withDatabase((db) => findCasesByIds(db, ids));
  if (!found.ok) return refuse(found.failure.message);
  const possible = found.value.filter(canCancel);
  if (possible.length === 0) {
    return refuse(
      "None of these can be cancelled: they are tests, cancelled already, or not known to be mailed.",
    );
  }
  return {
    ids: possible.map(({ id }) => id),
    userId: "",
    title: `Cancel ${formatCount(possible.length, "piece")}?`,
    message: formatEffect(possible, ids.length - possible.length),
    possible: true,
  };
}

async function loadQuestionForOne(id: string): Promise<Confirmation | null> {
  const message = await quoteCancel(id);
  const found = await withDatabase((db) => findCasesByIds(db, [id]));
  const [piece] = found.ok ? found.value : [];
  if (!piece || !canCancel(piece)) return null;
  const { userId, type, addressee } = piece;
  const title = `Cancel this ${type}${addressee ? ` to ${addressee}` : ""}?`;
  return { ids: [id], userId, title, message, possible: true };
}

function canCancel({ isTest, providerId, state }: CancelCase): boolean {
  return findCancelObstacle(isTest, providerId, state) === null;
}

/** Formats the refund and new balance of each payer. @param impossible number of chosen pieces that cannot be cancelled */
function formatEffect(pieces: CancelCase[], impossible: number): string {
  const accounts = new Map<string, { refund: number; balance: number; held: number }>();
  for (const { userId, charged, balance, held } of pieces) {
    const account = accounts.get(userId) ?? { refund: 0, balance, held };
    accounts.set(userId, { refund: account.refund + charged, balance: account.balance + charged, held });
  }
  const late = pieces.filter(({ status }) => isTooLate(status)).length;
  return [
    late > 0 && `${formatCount(late, "piece")} may be too late: production has begun. If all of them work:`,
    ...[...accounts.values()].map(
      ({ refund, balance, held }) =>
        `${formatCredits(refund)} back, balance ${formatInteger(balance)}${formatHeldPart(held)}.`,
    ),
    impossible > 0 && `${formatCount(impossible, "piece")} cannot be cancelled and will be left as they are.`,
  ]
    .filter(Boolean)
    .join(" ");
}
