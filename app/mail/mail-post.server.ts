import { formatCredits, formatHeldPart } from "~/credits/format-credits";
import type { Viewer } from "~/people/viewer.server";
import { cancelMail, cancelSend, quoteCancel } from "~/pieces/cancel/cancel-mail.server";
import { toCancelFlash } from "~/pieces/cancel/cancel-settle.server";
import { type CancelCase, findCasesByIds } from "~/pieces/cancel/cancel-transitions.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { findCancelObstacle } from "~/pieces/mail-item";
import { isTooLate } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { formatCount } from "~/platform/format-integer";
import type { Flash } from "~/platform/http/flash.server";
import { deleteMailRecipient } from "~/recipients/delete-recipient.server";
import { NONE_CHOSEN, parseChosen, parseType } from "./piece-filter.server";

/**
 * Handles the forms of the Mail Management tab and returns the message to show; null for an unknown form. Fields:
 * `intent` cancel (`user_id`, `type`, `item`; only `item` for several), delete_recipient (`user_id`, `recipient`) or
 * refresh (`item`, repeated).
 */
export async function handleMailPost(form: FormData, viewer: Viewer): Promise<Flash | null> {
  const intent = form.get("intent");
  if (intent !== "cancel" && intent !== "delete_recipient" && intent !== "refresh") return null;
  const userId = String(form.get("user_id") ?? "");
  const chosen = parseChosen(form);
  if (intent === "cancel") {
    if (chosen.length > 1) return cancelChosen(chosen, viewer);
    const order = { userId, mailItemId: String(form.get("item") ?? ""), type: parseType(form.get("type")) };
    return toCancelFlash(await cancelMail(order, viewer));
  }
  if (intent === "delete_recipient") {
    const order = { userId, recipientId: String(form.get("recipient") ?? "") };
    const deleted = await deleteMailRecipient(order, viewer);
    if (!deleted.ok) return { tone: "bad", message: deleted.failure.message };
    const { message, warning } = deleted.value;
    return warning ? { tone: "info", message: `${message}. ${warning}` } : { tone: "ok", message };
  }
  if (chosen.length === 0) return { tone: "bad", message: NONE_CHOSEN };
  const refreshed = await refreshStatus(chosen, viewer);
  return refreshed.ok
    ? { tone: "ok", message: refreshed.value.message }
    : { tone: "bad", message: refreshed.failure.message };
}

const TIME_LIMIT_MS = 20_000;

/** Cancels these pieces, one after the other, for up to 20 s, and returns one message about all of them. */
async function cancelChosen(ids: string[], viewer: Viewer): Promise<Flash> {
  const startedAt = performance.now();
  let [cancelled, refunded, pending, left] = [0, 0, 0, 0];
  /** The last balance of each payer who got a refund. */
  const balances = new Map<string, number>();
  const failures: string[] = [];
  for (const [place, id] of ids.entries()) {
    if (performance.now() - startedAt > TIME_LIMIT_MS) {
      left = ids.length - place;
      break;
    }
    const done = await cancelSend(id, viewer);
    if (!done.ok) failures.push(done.failure.message);
    else if (done.value.kind === "pending") pending += 1;
    else {
      cancelled += 1;
      refunded += done.value.refund?.creditsRefunded ?? 0;
      if (done.value.refund) balances.set(done.value.userId, done.value.refund.newBalance);
    }
  }
  const isClean = failures.length + pending + left === 0;
  const [balance] = balances.values();
  const newBalance =
    balances.size === 1 && balance !== undefined ? ` (New balance: ${balance.toLocaleString("en")})` : "";
  const credits = balances.size === 0 ? "" : ` - ${formatCredits(refunded)} refunded${newBalance}`;
  const message = [
    `${formatCount(cancelled, "piece")} cancelled${credits}.`,
    pending > 0 && `${formatCount(pending, "piece")} still being checked; a refund follows if cancelled.`,
    failures.length > 0 &&
      `${formatCount(failures.length, "piece")} not cancelled: ${[...new Set(failures)].join(" ")}`,
    left > 0 && `${formatCount(left, "piece")} not tried yet: choose them again.`,
  ];
  return {
    tone: isClean ? "ok" : cancelled + pending > 0 ? "info" : "bad",
    message: message.filter(Boolean).join(" "),
  };
}

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
export async function askToCancel(ids: string[], viewer: Viewer): Promise<Confirmation | null> {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return askToCancelOne(only);
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
  const possible = found.value.filter((piece) => findObstacle(piece) === null);
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

async function askToCancelOne(id: string): Promise<Confirmation | null> {
  const message = await quoteCancel(id);
  const found = await withDatabase((db) => findCasesByIds(db, [id]));
  const [piece] = found.ok ? found.value : [];
  if (!piece || findObstacle(piece) !== null) return null;
  const { userId, type, addressee } = piece;
  const title = `Cancel this ${type}${addressee ? ` to ${addressee}` : ""}?`;
  return { ids: [id], userId, title, message, possible: true };
}

function findObstacle({ isTest, providerId, state }: CancelCase): string | null {
  const [isCancelled, isCancelling] = [state === "cancelled", state === "cancelling"];
  return findCancelObstacle({ isTest, mailItemId: providerId, isCancelled, isCancelling });
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
        `${formatCredits(refund)} back, balance ${balance.toLocaleString("en")}${formatHeldPart(held)}.`,
    ),
    impossible > 0 && `${formatCount(impossible, "piece")} cannot be cancelled and will be left as they are.`,
  ]
    .filter(Boolean)
    .join(" ");
}
