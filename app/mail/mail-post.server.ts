import { formatCredits } from "~/credits/format-credits";
import type { Viewer } from "~/people/viewer.server";
import { cancelMail, cancelSend } from "~/pieces/cancel/cancel-mail.server";
import { toCancelFlash } from "~/pieces/cancel/cancel-settle.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { type Flash, toFlash } from "~/platform/http/flash.server";
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
    if (!deleted.ok || !deleted.value.warning) return toFlash(deleted);
    const { message, warning } = deleted.value;
    return { tone: "info", message: `${message}. ${warning}` };
  }
  if (chosen.length === 0) return { tone: "bad", message: NONE_CHOSEN };
  return toFlash(await refreshStatus(chosen, viewer));
}

const TIME_LIMIT_MS = 20_000;

/** Cancels these pieces, one after the other, for up to 20 s, and returns one message about all of them. */
async function cancelChosen(ids: string[], viewer: Viewer): Promise<Flash> {
  const startedAt = performance.now();
  let [cancelled, already, refunded, pending, left] = [0, 0, 0, 0, 0];
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
    else if (done.value.kind === "already") already += 1;
    else {
      cancelled += 1;
      refunded += done.value.refund?.creditsRefunded ?? 0;
      if (done.value.refund) balances.set(done.value.userId, done.value.refund.newBalance);
    }
  }
  const isClean = failures.length + already + pending + left === 0;
  const [balance] = balances.values();
  const newBalance =
    balances.size === 1 && balance !== undefined ? ` (New balance: ${formatInteger(balance)})` : "";
  const credits = balances.size === 0 ? "" : ` - ${formatCredits(refunded)} refunded${newBalance}`;
  const message = [
    `${formatCount(cancelled, "piece")} cancelled${credits}.`,
    already > 0 && `${formatCount(already, "piece")} cancelled already; nothing was refunded again.`,
    pending > 0 && `${formatCount(pending, "piece")} still being checked; a refund follows if cancelled.`,
    failures.length > 0 &&
      `${formatCount(failures.length, "piece")} not cancelled: ${[...new Set(failures)].join(" ")}`,
    left > 0 && `${formatCount(left, "piece")} not tried yet: choose them again.`,
  ];
  return {
    tone: isClean ? "ok" : cancelled + already + pending > 0 ? "info" : "bad",
    message: message.filter(Boolean).join(" "),
  };
}
