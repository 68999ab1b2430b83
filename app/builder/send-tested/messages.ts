import { MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";

/** What is said of a tested piece, and of sending it live. */

export const NO_PDF = "The provider returned no PDF that can be shown here.";
export const SEND_TESTED_HINT = "Sends exactly what you tested, as real mail. Edits need a new test.";
export const TEST_AGAIN = "Test again to send it live.";

export const FALLBACK_TESTED =
  "The recipient is only a placeholder for tests. Choose a recipient and test again.";

export function formatSendTested(liveSend: string): string {
  return `Send tested piece live: ${liveSend}`;
}

/** `charged` in credits; null while the outcome is not known. */
export function formatTestedSent(charged: number | null): string {
  return charged === null
    ? "Its page shows whether it was mailed."
    : `Sent. ${formatCredits(charged)} charged.`;
}

/**
 * @param cost what the provider charges, as it writes it
 * @param charged credits, once it was sent live
 */
export function formatTestedPrice(
  cost: string | null,
  mailType: MailType,
  dollars: boolean,
  charged: number | null,
): string {
  const ours =
    charged === null
      ? `Mailroom charges ${formatCredits(MAIL_PRICES[mailType])}.`
      : `Mailroom charged ${formatCredits(charged)}.`;
  if (cost === null) return ours;
  return `Provider's price: ${dollars ? `$${cost}` : `${cost} (account currency)`}. ${ours}`;
}
