import { CREDIT_PACKAGE, MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";

/** What the Builder says, panel by panel. What is loaded later has its own beside it, such as editor/messages.ts. */

// Request

/** Why a request cannot be sent, and what to do about it. */
export const SEND_BLOCKS = {
  empty_path: { title: "The path is empty.", fix: "Enter a path to send." },
  invalid_json: { title: "Invalid JSON.", fix: "Fix the JSON in the Body tab to send." },
};
/** Beside the button that sends live mail with a fault that ruins it. */
export const SEND_WITH_FAULT = "Send with this fault?";
export const FAULT_NOT_ALLOWED = "Correct the fault, or allow it beside this button.";
export const LOADING_PRESET = "Loading another preset.";
/** A test that is sent once its file is read. */
export const SENT_WHEN_READ = "Reading the file…";
export const READING_FILE = "A file is being read. Send when it is attached.";
export const LOADING_FORM = "Loading the form.";
export const THEN_UPDATE = "Then press Update without sending.";
export const PROVIDER_DEFAULT = "Provider's default";
export const NO_FIELDS = "This request has no fields. You can send it as it is.";
export const NO_FORM = "A custom request has no form. Its query, headers and body are typed in their tabs.";
export const PATH_PLACEHOLDER = "path, address or curl";
export const HEADERS_HINT = "The server sets keys, cookies and host. Headers with these names are not sent.";
export const FORM_UNUSED = "You edited the body by hand, so these fields are not used.";
export const BODY_FROM_FORM = "Built from the form. Type to edit it by hand.";
export const BODY_BY_HAND = "Edited by hand. The form's fields are not used.";
export const BODY_NONE = "Nothing is sent while it is empty.";
export const BODY_SENT_AS_FORM = "It is sent as form data.";
export const BODY_SHORTENED = "Files are shortened here. Edit the request in the form.";
/** "Base URL: US, acting as Ana Ruiz" */
export function formatSettings(base: { label: string; appendJson: boolean }, user: string | null): string {
  const where = `Base URL: ${base.label}${base.appendJson ? ", .json appended" : ""}`;
  return user === null ? where : `${where}, acting as ${user}`;
}

export const USERS_NOT_LOADED = "Users could not be loaded.";
export const WITHOUT_DATABASE =
  "User management, response storage and live mail are disabled. Everything else keeps working.";

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
  return `${piece}: ${formatPrice(MAIL_PRICES[mailType], available)}`;
}

/** "Live: 1 credit, leaves 40": a test, whose button stands beside it, costs nothing. */
export function formatLivePrice(price: number, available: number | null): string {
  return `Live: ${formatPrice(price, available)}`;
}

function formatPrice(price: number, available: number | null): string {
  return formatCredits(price) + (available === null ? "" : formatLeaves(available, price));
}

/** Why live mail is not offered. @param available in credits */
export function formatShort(price: number, available: number): string {
  return `You need ${formatCredits(price)} and have ${available.toLocaleString("en")}.`;
}

/** ", leaves 40", or what one has where it is too little. */
function formatLeaves(available: number, price: number): string {
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

// Response

export const RESPONSE_IDLE = "The response appears here after you send.";
export const ANSWER_NOT_LOADED =
  "Nothing was sent: a part of this page could not be loaded. Check the connection and load the page again.";
export const SEND_UNREACHABLE =
  "Network error: Mailroom did not answer. The request may have been sent, so check before you send it again.";

export function formatBuyCredits(): string {
  const { credits, amountCents } = CREDIT_PACKAGE;
  return `Buy ${credits} credits for $${(amountCents / 100).toFixed(2)}`;
}

export function formatBuyFor(payer: string): string {
  return `For ${payer}. You will return to this draft.`;
}

// History, files, presets

export const HISTORY_EMPTY =
  "No requests sent from this browser yet. They appear here, newest first. Select one to open it again.";
export const HISTORY_NEEDS_SCRIPT = "History is kept in this browser and needs JavaScript.";
export function formatUnknownPreset(id: string, opened: string): string {
  return `There is no preset "${id}". "${opened}" is open instead.`;
}
export const NEW_REQUEST = "New request";
export const NO_PRESET_MATCHES = "No preset matches. Clear the search to see all.";

// API Security, and a form that is too large

export const KEY_PRESENT = "The server adds the provider's key. It never reaches your browser.";
export const KEY_ABSENT = "Set STANNP_API_KEY on the server to send requests.";
export const TOO_LARGE_BACK =
  "Go back in your browser: what you typed is still there. Choose a smaller file and send again.";
export const TOO_LARGE_RESEND =
  "If your browser asks to resend the form, you can agree: mail that was already sent is not sent again.";
