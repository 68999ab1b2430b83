import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";

/** All sentences of lists. */

const count = (number: number) => number.toLocaleString("en");
const rows = (number: number) => `${count(number)} ${number === 1 ? "row" : "rows"}`;
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const join = (names: readonly string[]) => names.join(", ");

// Lists
export const NO_LIST = "There is no such list.";
export const LISTS_INTRO =
  "One design for many people. Open a postcard or letter in the API Builder and press Send to a list.";
export const NO_LISTS =
  "No lists yet. Each list appears here with its progress and what became of its pieces.";
export const UNTIL_CONFIGURED = "Lists need a database.";
export const NOT_CHANGED_NOW =
  "The list was started, so its rows and columns cannot be changed. Nothing was changed.";

export function formatNewList(mailType: MailType): string {
  return mailType === "postcard" ? "New postcard list" : "New letter list";
}

/** What the ledger says that credits were reserved for. */
export function formatListPurpose(name: string): string {
  return `list "${name}"`;
}

// Import
export const PASTED = "Pasted rows";
export const NOTHING_TO_IMPORT = "Choose a file or paste rows first. Nothing was imported.";
export const NOTHING_IMPORTED = "Nothing was imported.";
export const IMPORTED_MEANWHILE =
  "Another import of this list was begun at the same time. Nothing was imported; import it again.";
export const IMPORTING = "Importing and checking";
export const IMPORT_LOST = "The last import did not end. Import the file again.";
export const GROUPS_ABOUT =
  "The recipients of a group as the provider has them now. What you correct here stays in this list.";
export const LOAD_GROUPS = "Or choose a group of the provider's account";
export const NO_GROUPS = "The provider's account has no groups.";
export const NO_SUCH_GROUP = "The provider has no such group. Nothing was imported.";
export const GROUP_EMPTY = "The group has no recipients.";
export const DO_NOT_MAIL = "The provider has this recipient as not to be mailed.";
export const EMPTY_FILE = "The file is empty.";
export const HEADER_ONLY = "The file has a header and no rows below it.";
export const NO_HEADER = "The first row is empty. It must name the columns.";
export const WORKBOOK_FILE =
  "This is an Excel workbook. In Excel choose Save As, then CSV UTF-8, and upload that file.";
export const PDF_FILE = "This is a PDF. Upload a CSV file.";
export const NOT_A_TEXT_FILE = "This is not a text file. Upload a CSV file.";

export function formatImporting(percent: number | null): string {
  return percent === null ? "Uploading..." : `${IMPORTING}: ${percent} %`;
}

export function formatImported(number: number): string {
  return `${rows(number)} imported.`;
}

export function formatGroup(name: string, recipients: number): string {
  return `${name} (${count(recipients)})`;
}

export function formatGroupsFailed(reason: string): string {
  return `The provider's groups could not be loaded. ${reason}`;
}

export function formatSameHeader(name: string, first: number, second: number): string {
  return `Columns ${first} and ${second} are both named "${name}". Rename one of them.`;
}

export function formatTooManyColumns(number: number, limit: number): string {
  return `The file has ${count(number)} columns; a list may have ${limit}. Remove those you do not need.`;
}

export function formatTooManyRows(limit: number): string {
  return `There are more than ${count(limit)} rows. Split them into several lists.`;
}

export function formatCellTooLong(row: number, column: string, chars: number, limit: number): string {
  return `Row ${count(row)}, column "${column}" has ${count(chars)} characters; a cell may have ${count(limit)}.`;
}

export function formatRowTooLong(row: number, limit: number): string {
  return `Row ${count(row)} has more than ${count(limit)} characters. A quote may be missing in it.`;
}

export function formatBadQuotes(row: number): string {
  return `Row ${count(row)} has a quote that does not fit: a cell in quotes must end with one, and a quote inside is doubled.`;
}

// Rows
export const NO_ROW = "There is no such row in this list.";
export const ROW_NOT_CHANGED_NOW = "This row cannot be changed now. Nothing was changed.";

export function formatMissingDetails(names: readonly string[]): string {
  return `Missing: ${join(names)}.`;
}

export function formatTooManyCells(cells: number, columns: number): string {
  return `It has ${cells} cells, the header has ${columns}. A cell with a comma must be in quotes.`;
}

export function formatFormula(label: string): string {
  return `${label} is a formula. Export values, not formulas.`;
}

export function formatExcelError(label: string, value: string): string {
  return `${label} is Excel's error ${value}.`;
}

export function formatDetailTooLong(label: string, limit: number): string {
  return `${label} has more than ${limit} characters.`;
}

export function formatCountryUnknown(country: string): string {
  return `Mail cannot be sent to the country "${country.slice(0, 40)}".`;
}

export function formatPostcode(postcode: string, country: string, example: string): string {
  const hint = /^\d+$/.test(postcode) && /^\d+$/.test(example) && postcode.length < example.length;
  const lost = hint ? " Excel may have dropped a leading 0." : "";
  return `"${postcode.slice(0, 20)}" is no postcode in ${country} (like ${example}).${lost}`;
}

export function formatNoValueFor(names: readonly string[]): string {
  return `No value for ${names.map((name) => `{${name}}`).join(", ")}.`;
}

const DUPLICATE = "Duplicate: ";

export const ADDRESS_NOT_FOUND = "The provider does not find this address.";

/** Whether what is wrong with a row is a duplicate or an address that is not found: a person may send it all the same. */
export function mayBeAllowed(problem: string | null): boolean {
  return problem === ADDRESS_NOT_FOUND || problem?.startsWith(DUPLICATE) === true;
}

export function formatSameAddress(first: number): string {
  return `${DUPLICATE}the same name and address as row ${count(first)}.`;
}

export function formatSentBefore(mailType: MailType, at: Date): string {
  return `${DUPLICATE}a ${mailType} was sent to this name and address on ${day.format(at)}.`;
}

export function formatCorrected(row: number): string {
  return `Row ${count(row)} can be sent.`;
}

export function formatStillWrong(row: number): string {
  return `Row ${count(row)} was saved. It still has a problem.`;
}

export function formatLeftOut(number: number): string {
  return `${rows(number)} left out.`;
}

export function formatTakenBack(row: number): string {
  return `Row ${count(row)} is in the list again.`;
}

export function formatReadyAgain(number: number): string {
  return `${rows(number)} can be sent again.`;
}

// Columns
export const COLUMNS_SAVED = "Columns saved. All rows were checked again.";

export function formatUnmapped(names: readonly string[]): string {
  return `Choose a column for: ${names.join("; ")}.`;
}

// Addresses
export const ADDRESS_CHECKS_ABOUT =
  "The provider can check US and UK addresses before anything is sent, at the pace of its rate limit.";
export const CHECKING_ADDRESSES =
  "The addresses are being checked. Rows that the provider does not find are to be corrected.";
export const ADDRESS_CHECKS_STOPPED = "No more addresses are checked.";

export function formatAddressChecks({
  valid,
  notFound,
  unchecked,
}: {
  valid: number;
  notFound: number;
  unchecked: number;
}): string {
  const others = unchecked === 0 ? "" : `, ${count(unchecked)} could not be checked`;
  return `Addresses: ${count(valid)} found, ${count(notFound)} not found${others}.`;
}

export function formatAddressesLeft(left: number): string {
  return `${count(left)} left.`;
}

export function formatCheckAddresses(left: number): string {
  return `Check ${count(left)} ${left === 1 ? "address" : "addresses"}`;
}

// Tests
export const TEST_ROWS_HINT = "Row numbers, 1 to 5 of them, with commas between.";
export const NOT_TESTED = "Send a test of at least one row first. Nothing was sent live.";
export const ROWS_TO_TEST =
  "Name 1 to 5 rows of the list by their numbers, with commas between. Nothing was sent.";
export const NO_SAMPLE = "The provider made no sample of it.";

export function formatRowsNotReady(numbers: readonly number[]): string {
  return `These rows are not ready to be sent: ${join(numbers.map(count))}. Nothing was sent.`;
}

export function formatTestsDone(good: number, all: number): string {
  if (good === all)
    return `${all === 1 ? "The test is" : `${all} tests are`} done. Look at the provider's PDFs before you start.`;
  return `${good} of ${all} tests worked.`;
}

// Start, pause, stop
export const ALREADY_RUNNING = "The list is running already.";
export const NO_READY_ROWS = "No row is ready to be sent. Nothing was reserved.";
export const NOT_ACTIVE = "The list is not in a state to do that. Nothing was changed.";
export const RESUMED = "The list goes on.";
export const BACKGROUND_OFF =
  "Background work is switched off on this server (RECONCILE_INTERVAL_MS is 0), so a list cannot be sent.";

export function formatStarted(number: number, credits: number): string {
  return `Started. ${formatCredits(credits)} reserved for ${rows(number)}.`;
}

export function formatNotAsQuoted(number: number): string {
  return `The list has changed: ${rows(number)} can be sent now. Nothing was reserved; look at the quote again.`;
}

export function formatShort(cost: number, available: number): string {
  return `The list costs ${formatCredits(cost)}, ${count(available)} available, ${count(cost - available)} missing. Nothing was reserved or sent. Buy credits, then start again.`;
}

export function formatPaused(name: string): string {
  return `Paused by ${name}. The credits stay reserved.`;
}

export function formatStopped(released: number): string {
  return `Stopped. ${formatCredits(released)} released.`;
}

export const CANCELLING_ALL = "The pieces are being cancelled one after the other. Each one is refunded.";
export const STOP_BEFORE_CANCEL = "Stop the list first, then cancel what was sent. Nothing was cancelled.";
export const CANCEL_QUESTION =
  "Pieces that are not being printed yet are cancelled, and each one's credits come back. This takes a while.";

// Approval by a second person
export const NOT_WAITING = "This list needs no approval now. Nothing was changed.";
export const OWN_REQUEST = "You cannot approve your own list. Nothing was sent. Ask another person.";
export const APPROVAL_OWN =
  "Another person has to approve it, neither who asks nor who made the list. Nothing can be changed meanwhile.";
export const APPROVAL_WITHDRAWN = "The request for approval was withdrawn. Nothing was sent.";
export const APPROVAL_STALE =
  "The list is not as it was when approval was asked for. Nothing was sent. Look at its rows and ask again.";
export const REFUSAL_REASON_MISSING = "Say why you refuse. The list still needs a decision.";
export const REFUSAL_HINT = "Shown on the list. Nothing is sent, and its rows can be changed again.";

/** For the alarm. */
export function formatApprovalAsked(name: string, number: number, cost: number): string {
  return `${name} asks to start a list of ${rows(number)} for ${formatCredits(cost)}.`;
}

export function formatWaitsForApproval(): string {
  return "Approval asked for. Another person has to approve this list; nothing is reserved or sent yet.";
}

export function formatApproved(name: string): string {
  return `Approved by ${name}.`;
}

export function formatRefusal(name: string, reason: string): string {
  return `Not approved by ${name}: ${reason}`;
}

export function formatApprovalRefused(): string {
  return "Refused. Nothing was sent.";
}

export function formatApproveButton(mailType: MailType, number: number, cost: number): string {
  return `Approve and start LIVE: ${count(number)} ${mailType}${number === 1 ? "" : "s"}, reserves ${formatCredits(cost)}`;
}

export function formatAskButton(number: number): string {
  return `Ask for approval of ${rows(number)}`;
}

export const NEEDS_APPROVAL_HINT = "Another person has to approve this list. Nothing is sent before.";

// Why a list waits or is paused
export const PROVIDER_NO_ANSWER = "The provider does not answer.";
export const PROVIDER_BUSY = "The provider's rate limit is used up.";
export const OUT_OF_FUNDS_NOTE =
  "The provider's account is out of funds; your credits are not affected. Top it up there, then resume.";
export const KEY_REFUSED_NOTE = "The provider refuses the server's key. Correct the key, then resume.";
export const NOT_CONFIGURED_NOTE = "The server has no provider key. Set STANNP_API_KEY, then resume.";
export const RESERVATION_SHORT_NOTE =
  "The reserved credits do not cover the next row. Stop the list and start it again.";
export const REFUSED_WITHOUT_REASON = "The provider refused it without a reason.";

export function formatRetry(seconds: number): string {
  return `It is tried again after ${seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}.`;
}

// Labels of the page
/** The way of a list to its start. */
export const STEPS = { import: "Import", check: "Check", test: "Test", start: "Start" };
export const IMPORT_ABOUT =
  "The first row names the columns. Up to 50,000 rows, 11 MB: name and address, and a column for each placeholder of the design.";
export const IMPORT_AGAIN = "Its rows replace those of the list.";
export const PASTE_PLACEHOLDER = "First name\tLast name\tAddress\tCity\tPostcode\tCountry";
export const COLUMNS_ABOUT =
  "Columns were chosen by their names. Another choice checks all rows again and needs a new test.";
export const NO_ROWS_SHOWN = "No rows here.";
export const PROVIDER_PDF = "Provider's PDF";
export const ALLOW_ROW = "Send it all the same";
export const TEST_ABOUT = "Free samples of rows of your choice. Only a tested design can be started.";
export const TESTED = "This design is tested. The provider's PDFs are beside the rows.";
export const TEST_FIRST = "Send a test first.";
export const PRICE_NOT_KNOWN = "known after a test";
export const PROGRESS_OF_LIST = "Rows handed over to the provider";
export const ERASED = "The people of this list were erased after the retention time.";

export function formatLeaveOutAll(number: number): string {
  return `Leave out all ${count(number)}`;
}

export function formatStillWrongRows(number: number): string {
  return `${rows(number)} with a problem ${number === 1 ? "is" : "are"} not sent.`;
}

export function formatMissing(missing: number): string {
  return `${formatCredits(missing)} missing.`;
}

export function formatStartButton(mailType: MailType, number: number, cost: number): string {
  return `Start LIVE: ${count(number)} ${mailType}${number === 1 ? "" : "s"}, reserves ${formatCredits(cost)}`;
}

export function formatMinutes(minutes: number): string {
  if (minutes <= 1) return "about 1 min";
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`;
}

export function formatProgress(done: number, total: number): string {
  return `${count(done)} of ${rows(total)}`;
}

export function formatStopQuestion(reserved: string): string {
  return `Rows that are not sent yet stay unsent, and ${reserved} are released. What was sent stays mail.`;
}

export function formatCancelAll(number: number): string {
  return `Cancel ${count(number)} ${number === 1 ? "piece" : "pieces"}`;
}

export function formatToCorrect(number: number): string {
  return `${count(number)} to correct`;
}
