import { CREDIT_PACKAGE, MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";

/** What the Builder says, panel by panel. The mail forms have their own in editor/messages.ts. */

// Request

/** Why a request cannot be sent, and what to do about it. */
export const SEND_BLOCKS = {
  empty_path: { title: "The path is empty.", fix: "Enter a path to send." },
  invalid_json: { title: "Invalid JSON.", fix: "Fix the JSON in the Body tab to send." },
};
export const LOADING_PRESET = "Loading another preset.";
/** A test that is sent once its file is read. */
export const SENT_WHEN_READ = "Reading the file…";
export const READING_FILE = "A file is being read. Send when it is attached.";
export const LOADING_FORM = "Loading the form.";
export const THEN_UPDATE = "Then press Update without sending.";
export const PROVIDER_DEFAULT = "Provider's default";
export const NO_FIELDS = "This request has no fields. You can send it as it is.";
export const HEADERS_HINT = "The server sets keys, cookies and host. Headers with these names are not sent.";
export const FORM_UNUSED = "You edited the body by hand, so these fields are not used.";
export const BODY_FROM_FORM = "Built from the form. Type to edit it by hand.";
export const BODY_BY_HAND = "Edited by hand. The form's fields are not used.";
export const BODY_SENT_AS_FORM = "It is sent as form data.";
export const BODY_SHORTENED = "Files are shortened here. Edit the request in the form.";
/** "Base URL: US, acting as Ana Ruiz" */
export function formatSettings(base: { label: string; appendJson: boolean }, user: string | null): string {
  const where = `Base URL: ${base.label}${base.appendJson ? ", .json appended" : ""}`;
  return user === null ? where : `${where}, acting as ${user}`;
}

export const USERS_NOT_LOADED = "Users could not be loaded.";
export const WITHOUT_DATABASE =
  "User management and response storage are disabled. Everything else keeps working.";

export function formatNoBody(method: string): string {
  return `${method} requests have no body`;
}

export function formatMissingFiles(names: readonly string[]): string {
  return `History does not keep large files. Choose ${names.join(", ")} again.`;
}

export const BROKEN_PERCENT =
  "The path has a % without two hex digits after it; write %25 for a percent sign";

export function formatUnfilledName(name: string): string {
  return `{${name}} in the path has no value`;
}

export function formatGivenTwice(kind: PairKind, name: string): string {
  return `${kind} ${name} is given twice`;
}

/** What rows of name and value are. */
export type PairKind = "Query parameter" | "Header";

export function formatTooManyPairs(kind: PairKind, most: number): string {
  return `${kind}s: ${most} at most`;
}

export function formatPairsDropped(kind: PairKind, posted: number, kept: number): string {
  return `${kind}s: only the first ${kept} of ${posted.toLocaleString("en")} were kept`;
}

// Test and live mode

export const MODE_MESSAGES = {
  ended: "Live mode ended after 15 minutes. You are in test mode again and nothing was sent.",
  ended_while_sending: "Live mode ended after 15 minutes. The send in progress continues.",
  not_by_shortcut: "Live mail is sent by its button only. Nothing was sent.",
  not_loaded_and_sent: "Load & Send does not send live mail. The preset was loaded and nothing was sent.",
};
/** Why live mail that was written by hand is not sent. */
export const BLOCKED_IN_TEST = "This is live mail and you are in test mode.";

/** "postcard 4x6 to J. Smith, Leeds: 1 credit, leaves 40"; `available` in credits, null where it is not known. */
export function formatLiveSend(piece: string, mailType: MailType, available: number | null): string {
  const price = MAIL_PRICES[mailType];
  const offer = `${piece}: ${formatCredits(price)}`;
  return available === null ? offer : offer + formatLeaves(available, price);
}

/** Why live mail is not offered. @param available in credits */
export function formatShort(price: number, available: number): string {
  return `You need ${formatCredits(price)} and have ${available.toLocaleString("en")}.`;
}

/** ", leaves 40", or what one has where it is too little. */
export function formatLeaves(available: number, price: number): string {
  return available >= price
    ? `, leaves ${(available - price).toLocaleString("en")}`
    : `, you have ${available.toLocaleString("en")}`;
}

export const SEND_TO_LIST = "Send to a list";
export const LIST_NEEDS_MAIL = "Only a postcard or letter can be sent to a list.";
export const SEND_TEST = "Send test";

/** @param cost as the provider writes it; null where it named none, undefined before a test */
export function formatProviderPrice(cost: string | null | undefined, dollars: boolean): string {
  if (cost === undefined) return "Provider's price: send a test to see it";
  if (cost === null) return "The provider named no price";
  return `Provider's price: ${dollars ? `$${cost}` : `${cost} (account currency)`}`;
}

// Sending the tested piece live

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

/** @param cost what the provider would charge, as it writes it */
export function formatTestedPrice(cost: string | null, mailType: MailType, dollars: boolean): string {
  const ours = `Mailroom charges ${formatCredits(MAIL_PRICES[mailType])}.`;
  if (cost === null) return ours;
  return `Provider's price: ${dollars ? `$${cost}` : `${cost} (account currency)`}. ${ours}`;
}

// Response

/** Where a piece stands by the answer to its send. */
export const PIECE_STATES = {
  checking: "Checking",
  refused: "Refused",
  unanswered: "No answer",
  notSent: "Not sent",
  sent: "Sent",
  tested: "Tested",
  answered: "Answered",
};
export const TESTED_NEXT = "Nothing was mailed. Check the provider's PDF, then send the tested piece live.";
export const RESPONSE_IDLE = "The response appears here after you send.";
export const EXAMPLE_TITLE = "Example response (nothing was sent)";
export const STOPPED = "The provider may already have the request. Its outcome is not known here.";
export const EMPTY_RESPONSE = "The response has no body.";
export const NOT_JSON = "This answer is not JSON.";
export const SEND_UNREACHABLE =
  "Network error: Mailroom did not answer. The request may have been sent, so check before you send it again.";
export const VIEW_PIECE = "View piece";
export const EARLIER_PIECE = "Earlier piece";

/** What a finished send or cancel did to the credits; `balance` null where it is not known. */
export function formatCreditsMoved(moved: {
  credits: number;
  as: "charged" | "refunded";
  /** The answer tells of an earlier send with the same key. */
  replayed: boolean;
  balance: number | null;
  held?: number;
}): string {
  const what = `${formatCredits(moved.credits)} ${moved.as}${moved.replayed ? " by the first send, none now" : ""}.`;
  return what + formatBalance(moved.balance, moved.held);
}

/** " Balance 41, of which 1 is held.", or nothing where it is not known. @param held in credits */
export function formatBalance(balance: number | null, held = 0): string {
  if (balance === null) return "";
  const part = held === 0 ? "" : `, of which ${held.toLocaleString("en")} ${held === 1 ? "is" : "are"} held`;
  return ` Balance ${balance.toLocaleString("en")}${part}.`;
}

export function formatBuyCredits(): string {
  const { credits, amountCents } = CREDIT_PACKAGE;
  return `Buy ${credits} credits for $${(amountCents / 100).toFixed(2)}`;
}

export function formatBuyFor(payer: string): string {
  return `For ${payer}. You will return to this draft.`;
}

// Save Response

export const SAVE_NEEDS_USER = "Please select a user before saving the response";
export const SAVED_WHEN_KNOWN = "A live send is saved automatically once its outcome is known.";
export const NOT_SAVED = "Not saved.";
export const SAVING_AUTOMATICALLY = "Saving automatically…";
export const SAVE_UNREACHABLE =
  "Network error: Mailroom did not answer. Save again: it will not be saved twice.";

export function formatSaveFailed(status: number): string {
  return `Failed to save response: ${status}`;
}

// Reopening a stored response

export const CANNOT_REOPEN = "This request cannot be opened.";
export const NO_SENT_REQUEST = "There is no stored response or piece with this id.";

export function formatReopenTitle(again: boolean, changed: boolean): string {
  if (again) return "New request.";
  return changed ? "Opened with changes." : "Opened as it was sent.";
}

export function formatReopened(sentAt: string): string {
  return `Copy of the request sent on ${sentAt}. Sending it makes a new request.`;
}

export function formatWasLive(mailType: MailType): string {
  return `This ${mailType} was sent live. It opens in test mode: nothing is mailed or charged until you switch to Live.`;
}

export function formatLostBase(label: string): string {
  return `The base URL ${label} is no longer configured. Choose another one.`;
}

// Autosave

/** @param at when the draft was saved, as shown */
export function formatSavedDraft(
  at: string,
  saved: { inForm: boolean; live: boolean; outcomeUnknown: boolean; missing: readonly string[] },
): string {
  const { inForm, live, outcomeUnknown, missing } = saved;
  return [
    inForm ? `Your draft from ${at} is restored.` : `Your draft from ${at} is set aside.`,
    outcomeUnknown ? "It was sent live and the outcome is not known. Check before you send it again." : "",
    inForm && live ? "Test mode is on again." : "",
    missing.length > 0
      ? `Choose ${missing.join(", ")} again: ${missing.length === 1 ? "it was" : "they were"} not saved.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}

// History, files, presets

export const HISTORY_EMPTY =
  "No requests sent from this browser yet. They appear here, newest first. Select one to open it again.";
export const HISTORY_NEEDS_SCRIPT = "History is kept in this browser and needs JavaScript.";
export const CHOOSE_FILE = "Drop, paste or choose a file.";
export const FILE_CHECK_NOT_LOADED =
  "The file check could not be loaded. Check the connection and choose the file again.";
export const DROP_FILE = "Drop the file to attach it.";
export const NO_PRESET_MATCHES = "No preset matches. Clear the search to see all.";

export function formatManyFiles(count: number): string {
  return `You chose ${count} files. Choose one: nothing was attached.`;
}

// Address check

export const ADDRESS_WORDS = {
  valid: "Valid",
  corrected: "Valid, with corrections",
  not_found: "Not found",
  unchecked: "Cannot be checked",
};
export const ADDRESS_CHANGED = "The address has changed since this check.";
export const ADDRESS_NOT_FOUND =
  "The provider cannot find this address. You can still send: a live piece keeps a note of it.";
export const ADDRESS_NOT_REAL = "Test answer from this machine, not from the provider.";
export const ADDRESS_LINE_MISSING = "Fill in address line 1 first.";
export const ADDRESS_UNREADABLE = "The provider's answer could not be read.";
export const ADDRESS_NO_RESULT = "The provider did not say whether the address is valid (no is_valid).";
export const ADDRESS_STOPPED = "The check was stopped.";
export const ADDRESS_UNREACHABLE = "Network error: Mailroom did not answer. Try again in a moment.";

export function formatUncheckedCountry(country: string): string {
  return `The provider checks only US and UK addresses. This one is in ${country}.`;
}

// API Security, and a form that is too large

export const KEY_PRESENT = "The server adds the provider's key. It never reaches your browser.";
export const KEY_ABSENT = "Set STANNP_API_KEY on the server to send requests.";
export const TOO_LARGE_BACK =
  "Go back in your browser: what you typed is still there. Choose a smaller file and send again.";
export const TOO_LARGE_RESEND =
  "If your browser asks to resend the form, you can agree: mail that was already sent is not sent again.";
