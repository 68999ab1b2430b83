import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import { NOTHING_DONE } from "~/platform/http/messages";
import { formatVariables } from "~/print/merge/messages";

/** The sentences of `POST /api/stannp`: what was and was not done, and the next step. */

const TEST_AGAIN = "Test it again, then send it live.";

export const ONLY_LIVE_FROM_TESTED = `A tested piece can only be sent as live mail. ${NOTHING_DONE}`;
export const TESTED_PIECE_NOT_FOUND = `You have no such tested piece. ${NOTHING_DONE} ${TEST_AGAIN}`;
export const TESTED_PDF_NOT_FOUND = "This tested piece is no longer kept. Test again to see its PDF.";
export const TESTED_PDF_MISSING = "The provider gave no PDF for this test that can be shown here.";

/** "Changed since the test: size, message." */
export function formatDifferences(names: readonly string[]): string {
  return `Changed since the test: ${names.join(", ")}.`;
}

export function formatNotAsTested(changed: readonly string[]): string {
  return `This is not what was tested. ${formatDifferences(changed)} ${NOTHING_DONE} ${TEST_AGAIN}`;
}

export function formatTestTooOld(hours: number): string {
  return `This test is older than ${hours} hours; prices and designs may have changed. ${NOTHING_DONE} ${TEST_AGAIN}`;
}

/** @param why the database's own sentence */
export function formatTestNotChecked(why: string): string {
  return `The tested piece cannot be checked: ${why.replace(/\.?$/, ".")} ${NOTHING_DONE}`;
}

export const NO_SERVER_KEY = `No server key configured: STANNP_API_KEY must be set in the server's environment. ${NOTHING_DONE}`;
export const PROBE_FOR_PROGRAMS = `\`__probe__\` is answered at POST /api/stannp only. ${NOTHING_DONE}`;
export const UNKNOWN_PAYER = `The user who should pay does not exist. ${NOTHING_DONE}`;
/** Why a send was released. */
export const DATABASE_WENT_BEFORE_SENDING = "the database went away before it was sent.";
export const DATABASE_DOWN = `The database is not available, and live mail needs its ledger. ${NOTHING_DONE} Try again in a moment.`;
export function formatNotMail(path: string): string {
  return `"${path}" is neither a letter nor a postcard. ${NOTHING_DONE}`;
}

export function formatOwnKey(prefixes: readonly string[]): string {
  return `Keys that begin with ${prefixes.join(", ")} are Mailroom's own: send another idempotency_key. ${NOTHING_DONE}`;
}

export const KEY_REUSED = `This idempotency key was used for another request. ${NOTHING_DONE} Use a new key.`;
export const IN_PROGRESS = `The same request is being sent right now. ${NOTHING_DONE} Ask again in a moment for its outcome.`;
export const RETRIED_WITH_KEY = "Retried with the same key, so nothing was sent or charged twice.";
export const NOTHING_MAILED = "Nothing was mailed.";
export const CANCEL_WITH_QUERY = `A cancel takes its id in the body and nothing in the query. ${NOTHING_DONE}`;
export const BUY_CREDITS = "Buy credits or have some added on the User Credits tab, then send again.";
export const CHECK_EARLIER_PIECE =
  "Check the earlier piece first. If this one is to be mailed as well, send it anyway.";
export const MAY_BE_ACCEPTED = "The provider may have accepted this. It will not be sent twice.";
export const OUTCOME_NOT_STORED =
  "The provider answered, and the database could not store it. It is mailed once or not at all.";
export const PREPARED_WITHOUT_DATABASE =
  "The database went away while this was prepared. It is sent once or not at all.";
export const FOLLOW_PAGE = "Follow it on its own page. Sending the same request again only shows this piece.";

/** @param problems "field: what is wrong" */
export function formatBadRequest(problems: readonly string[]): string {
  return `The request cannot be read: ${problems.join("; ")}. ${NOTHING_DONE}`;
}

/** For live mail that the page had announced as a test. */
export function formatUnexpectedLiveMail(mailType: MailType): string {
  return `This is live mail: a ${mailType} would be printed and posted. The page showed a test, so it was stopped. ${NOTHING_DONE} Switch to Live, check it again, then press Send LIVE.`;
}

/** For live mail that no one could receive or that would be empty. */
export function formatMissing(mailType: MailType, missing: "recipient" | "content"): string {
  return `This ${mailType} has no ${missing}. ${NOTHING_DONE} Add ${missing === "recipient" ? "a recipient" : "its content"} and send it again.`;
}

export function formatNeedsDecision(mailType: MailType): string {
  return `We cannot tell whether this ${mailType} was mailed. It will not be sent twice; please decide on the piece's page.`;
}

/** Ends "1 credit stays held: ...". */
export function formatNotKnownYet(mailType: MailType): string {
  return `it is not known yet whether this ${mailType} will be sent.`;
}

/** Why a piece cannot be paid. @param available in credits */
export function formatShortage(
  { mailType, cost }: { mailType: MailType; cost: number },
  available: number,
): string {
  return `Not enough credits: a live ${mailType} needs ${formatCredits(cost)} and you have ${available}.`;
}

export const LIVE_NEEDS_DATABASE = `Live mail needs a database, and none is configured. ${NOTHING_DONE}`;

export function formatPartlyCharged(cost: number, charged: number): string {
  return `It costs ${cost}, and only ${charged} could be charged.`;
}

export function formatNotCharged(why: string): string {
  return `Nothing was charged: ${why}`;
}

/** "1 credit stays held: it is not known yet whether ..." */
export function formatHeld(cost: number, why: string): string {
  return `${formatCredits(cost)} ${cost === 1 ? "stays" : "stay"} held: ${why}`;
}

export const TEST_IN_QUERY = "`test` counts in the body only; take it out of the query.";
export const TEST_MISSPELT = "The body has `test` in another spelling; write it as `test`.";

export function formatSpendingRefused(path: string): string {
  return `${path} spends the provider account's money, so it is closed here. The server's operator can allow it in STANNP_ALLOW_PATHS.`;
}

export function formatOtherSpelling(path: string): string {
  const withId = path.endsWith("cancel") ? " and the id in the body" : "";
  return `This is another spelling of ${path}; write the path as ${path}${withId}.`;
}

export function formatSampleOnly(path: string): string {
  return `${path} has no price in credits, so only tests are allowed. Send mail with postcards/create or letters/create; the server's operator can allow this path in STANNP_ALLOW_PATHS.`;
}

export function formatBodyNotAnObject(path: string): string {
  return `The body of ${path} must be an object of fields.`;
}

export function formatPostOnly(path: string): string {
  return `${path} is called by POST only.`;
}

/** @param problems "field: what is wrong." */
export function formatValidationErrors(problems: readonly string[]): string {
  return `Validation errors: ${problems.join(" ")} ${NOTHING_DONE}`;
}

/** "{offer} has no value: give it one or remove it from the text." */
export function formatUnfilled(names: readonly string[]): string {
  return names.length === 1
    ? `${formatVariables(names)} has no value: give it one or remove it from the text.`
    : `${formatVariables(names)} have no value: give them one or remove them from the text.`;
}

/** @param reason the provider's, or why it could not be asked */
export function formatRecipientNotLoaded(id: string, names: readonly string[], reason: string): string {
  return `The details of recipient ${id} could not be loaded, so ${formatVariables(names)} cannot be filled: ${reason.replace(/\.$/, "")}.`;
}

export function formatTooManyPages(pages: number, limit: number): string {
  return `The letter has ${pages} pages; the provider's reference allows ${limit}.`;
}

export function formatUnreachable(reason: string): string {
  return `The provider could not be reached: ${reason}. ${NOTHING_DONE}`;
}

export const CHECK_NETWORK =
  "Try again in a moment. If it still fails, check the base URL and this server's network.";
export const ASK_FOR_LESS = "Ask for less at once, with limit and offset.";
export const NOTHING_CHANGED = "Nothing was changed and nothing was charged.";
export const ONLY_A_TEST = "This was a test: nothing was mailed and nothing was charged.";
export const MAY_BE_DONE = "The provider may have done it all the same; nothing was charged.";

export const HINT_REPLAY =
  "The provider had this same request before and repeats its first answer; nothing was done a second time.";
export const HINT_REDIRECT =
  "Redirects are never followed, because the key would go with them. Choose another base URL or path.";
export const HINT_PROVIDER_DOWN = "The provider has a problem of its own. Try again in a moment.";
export const HINT_UNLISTED =
  "This call is not in the provider's public reference, so this account may not have it.";
export const HINT_NOT_FOUND =
  "Check the path, and that the id exists in the account of this base URL and key.";
export const HINT_BY_STATUS: Readonly<Record<number, string>> = {
  401: "The provider does not accept the server's key. Check STANNP_API_KEY, and that the base URL is of the key's region.",
  402: "The provider's account is out of funds; your credits are not affected. Top it up there, then send again.",
  403: "The provider account's plan or the key's rights do not cover this call.",
  413: "The request is too large for the provider. Reduce image sizes or content.",
};

export function formatDocumentedPath(method: string, path: string): string {
  return `The provider documents this as ${method} ${path}: switch to the documented path.`;
}

/** @param seconds null when the provider did not say */
export function formatRateLimitHint(seconds: number | null): string {
  return `The provider's rate limit is used up and nothing was done. Try again ${seconds === null ? "in a minute" : `in ${seconds} s`}.`;
}

export function formatMailedThoughTest(mailType: MailType): string {
  return `The provider mailed this ${mailType} although a test was asked for.`;
}
export function formatMailedThoughSample(path: string, providerId: string): string {
  return `${path} was sent as a test, and the provider mailed it as item ${providerId}. It has no price here, so nothing was charged.`;
}
export const CANCEL_AT_ONCE = "Cancel it at once if it must not be mailed.";
export const STORED_LATER = "The database could not store it; it is charged once when the database is back.";
export const NOWHERE_STORED =
  "Neither the database nor the disk could store it: note its ID, and charge it by an adjustment.";

/** The provider answered a test with a piece that is stored already. */
export function formatKnownPiece(mailType: MailType, providerId: string): string {
  return `The provider repeats its answer about ${mailType} ${providerId}, which is stored already: this test mailed and charged nothing.`;
}

export function formatTreatedAsTest(mailType: MailType): string {
  return `The provider treated this ${mailType} as a test: nothing was mailed and nothing was charged.`;
}

/** In credits. */
export function formatNeedsApproval({ mailType, cost }: { mailType: MailType; cost: number }): string {
  return `A ${mailType} costs ${formatCredits(cost)}, more than one person may send alone. ${NOTHING_DONE} In the API Builder press Send to a list: the recipient goes along, and another person can approve it.`;
}

/** @param token the name of the token whose limit it is; null: the person's own */
export function formatDailyLimit(
  piece: { mailType: MailType; cost: number },
  { limit, spent, token }: { limit: number; spent: number; token: string | null },
): string {
  const who = token === null ? "You may spend" : `The token ${token} may spend`;
  const day = `${who} ${formatCredits(limit)} a day and ${token === null ? "have" : "it has"} spent ${spent}`;
  return `${day}. A ${piece.mailType} costs ${piece.cost}. ${NOTHING_DONE} The next day begins at 00:00 UTC.`;
}
