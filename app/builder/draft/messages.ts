import type { MailType } from "~/pieces/mail-type";

export const SEND_BLOCKS = {
  empty_path: { title: "The path is empty.", fix: "Enter a path to send." },
  invalid_json: { title: "Invalid JSON.", fix: "Fix the JSON in the Body tab to send." },
};
export const FAULT_NOT_ALLOWED = "Correct the fault, or allow it beside this button";
export const LOADING_FORM = "Loading the form.";

export const MODE_MESSAGES = {
  ended: "Live mode ended after 15 minutes. You are in test mode again and nothing was sent.",
  ended_while_sending: "Live mode ended after 15 minutes. The send in progress continues.",
  not_by_shortcut: "Live mail is sent by its button only. Nothing was sent.",
  not_loaded_and_sent: "Load & Send does not send live mail. The preset was loaded and nothing was sent.",
};
/** Why live mail that was written by hand is not sent. */
export const BLOCKED_IN_TEST = "This is live mail and you are in test mode.";

export const CANNOT_REOPEN = "This request cannot be opened.";

export function formatWasLive(mailType: MailType): string {
  return `This ${mailType} was sent live. It opens in test mode: nothing is mailed or charged until you switch to Live.`;
}
