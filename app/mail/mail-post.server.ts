import type { Viewer } from "~/people/viewer.server";
import { cancelMail } from "~/pieces/cancel/cancel-mail.server";
import { toCancelFlash } from "~/pieces/cancel/cancel-result";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import type { MailType } from "~/pieces/mail-type";
import type { Flash } from "~/platform/http/flash.server";
import type { Outcome } from "~/platform/outcome";
import { deleteMailRecipient } from "~/recipients/delete-recipient.server";
import { cancelChosen } from "./cancel-chosen.server";
import { NONE_CHOSEN, parseChosen } from "./piece-filter.server";

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
  if (intent === "cancel" && chosen.length > 1) return cancelChosen(chosen, viewer);
  if (intent === "cancel") {
    const posted = form.get("type");
    const type: MailType | null = posted === "letter" || posted === "postcard" ? posted : null;
    return toCancelFlash(
      await cancelMail({ userId, mailItemId: String(form.get("item") ?? ""), type }, viewer),
    );
  }
  if (intent === "delete_recipient") {
    const deleted = await deleteMailRecipient(
      { userId, recipientId: String(form.get("recipient") ?? "") },
      viewer,
    );
    if (!deleted.ok) return refuse(deleted);
    const { message, warning } = deleted.value;
    return warning ? { tone: "info", message: `${message}. ${warning}` } : { tone: "ok", message };
  }
  if (chosen.length === 0) return { tone: "bad", message: NONE_CHOSEN };
  const refreshed = await refreshStatus(chosen, viewer);
  return refreshed.ok ? { tone: "ok", message: refreshed.value.message } : refuse(refreshed);
}

function refuse({ failure }: { failure: Extract<Outcome<unknown>, { ok: false }>["failure"] }): Flash {
  return { tone: "bad", message: failure.message };
}
