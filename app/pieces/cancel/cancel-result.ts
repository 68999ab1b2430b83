import { formatCredits } from "~/credits/format-credits";
import type { Outcome } from "~/platform/outcome";
import type { MailType } from "../mail-type";

/** The result of a cancel that was not refused. */
export interface CancelResult {
  /**
   * `cancelled`: by this request. `already`: earlier, so nothing was refunded again. `pending`: the provider has not
   * confirmed it, or the refund is not stored yet; recovery settles both.
   */
  kind: "cancelled" | "already" | "pending";
  type: MailType;
  /** The item's owner, who is refunded. */
  userId: string;
  message: string;
  /** Null while the cancel is not confirmed. */
  refund: { creditsRefunded: number; newBalance: number } | null;
  /** A further sentence for the person. */
  warning: string | null;
}

/** Formats the message, " - N credits refunded (New balance: M)" and any warning. */
export function formatCancelResult({
  message,
  refund,
  warning,
}: Omit<CancelResult, "kind" | "type" | "userId">) {
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

/** Formats the message that a page shows after a cancel. */
export function toCancelFlash(cancelled: Outcome<CancelResult>): {
  tone: "ok" | "bad" | "info";
  message: string;
} {
  if (!cancelled.ok) return { tone: "bad", message: cancelled.failure.message };
  const tone = cancelled.value.kind === "pending" || cancelled.value.warning ? "info" : "ok";
  return { tone, message: formatCancelResult(cancelled.value) };
}
