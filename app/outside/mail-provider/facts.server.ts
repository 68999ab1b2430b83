import { randomUUID } from "node:crypto";
import { env } from "~/platform/env.server";
import type { BaseUrl } from "~/platform/env-variables.server";
import { parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay, HOUR_MS, MINUTE_MS } from "~/platform/time";
import { REFUSING_STATUSES } from "./call/answer";
import { parseProviderTime } from "./call/provider-time";
import { FIRST_EPOCH_MS, FIRST_EPOCH_SECONDS } from "./call/rate-headers";
import { FORM_TYPE } from "./call/wire.server";
import { parseCancelOutcome } from "./piece.server";
import { type Answer, dataOf, listOf, openProbes, type ProbeResult } from "./probes.server";
import { findPdfAddress } from "./provider-pdf.server";

/** An assumption of the code about the provider, and what the account shows of it. */
export interface CheckedFact {
  id: string;
  /** The assumption, as a sentence. */
  assumed: string;
  /** Observations that the code can handle. */
  expected: readonly string[];
  /** `untested`: this account cannot show it. `unasked`: there was no answer. */
  verdict: "holds" | "differs" | "untested" | "unasked";
  /** The observation in our own words, because answers may hold personal data; or the reason why there is none. */
  seen: string;
}

/**
 * Adds a fact to the report.
 * @param results the answers that show it
 * @param see describes the answers; `untested` with the reason when this account cannot show the fact
 */
type Check = (
  id: string,
  assumed: string,
  expected: readonly string[],
  results: readonly ProbeResult[],
  see: (...answers: Answer[]) => string | { untested: string },
) => void;
type Probes = Awaited<ReturnType<typeof openProbes>>;

const CLOCK_TOLERANCE_MS = 15 * MINUTE_MS;
const SEND_TAG = /^mailroom-[0-9a-z]{8,64}$/;
const RATE_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const NO_PIECES = { untested: "This account listed no piece in the last 30 days." };
const NO_PIECE = "999999999999";
const NO_PATH = "mailroom/no-such-path";
const LARGE_BYTES = 24 * 1024 * 1024;

/** Facts that take real mail, money or time. */
const UNTESTED = [
  ["false-in-form", "In a form, false is read as true.", "A wrong guess would mail."],
  ["rate-limit", "429 means that nothing was done.", "It takes more calls than this command makes."],
  ["retry-after", "A 429 says when to call again.", "It takes more calls than this command makes."],
  ["pdf-life", "A PDF's link expires after about 30 minutes.", "It takes longer than this command."],
  ["key-life", "A key is remembered for 24 hours.", "It takes longer than this command."],
  ["live-id", "A live piece has an ID of its own.", "It takes real mail."],
  ["late-cancel", "A piece in production cannot be cancelled.", "It takes real mail."],
  ["webhook", "Events are signed in X-Stannp-Signature.", "It takes real mail."],
  ["address-check", "An address check answers is_valid.", "It may be billed."],
] as const;

/**
 * Checks every assumption of the code with the account of a base URL, by reads and tests only. Cancels a test that is accepted
 * as real mail, and stops. Fails with `provider_unreachable`, or `provider_refused` when our key is refused.
 */
export async function verifyFacts(base: BaseUrl): Promise<Outcome<CheckedFact[]>> {
  const facts: CheckedFact[] = [];
  const check: Check = (id, assumed, expected, results, see) => {
    const report = (verdict: CheckedFact["verdict"], seen: string) =>
      void facts.push({ id, assumed, expected, verdict, seen });
    const problem = results.find((answer) => typeof answer === "string");
    if (problem !== undefined) return report("unasked", problem);
    const seen = see(...(results as Answer[]));
    if (typeof seen !== "string") return report("untested", seen.untested);
    report(expected.includes(seen) ? "holds" : "differs", seen);
  };
  const probes = await openProbes(base);
  const account = await probes.read("users/me");
  if (typeof account === "string") return fail("provider_unreachable", account);
  if (account.status === 401 || account.status === 403) {
    return fail("provider_refused", `The provider refuses this key (${account.status}).`);
  }
  const balance = await probes.read("accounts/balance");
  await checkAccess(check, probes, account);
  const sample = await checkTests(check, probes, [account, balance]);
  await checkLists(check, probes, sample);
  const balanceAfter = await probes.read("accounts/balance");
  check("test-price", "A test costs nothing.", ["nothing"], [balance, balanceAfter], describePrice);
  const large = await probes.postForm(NO_PATH, `text=${"a".repeat(LARGE_BYTES)}`);
  check("large-body", "A body that is too large gets 413.", ["413"], [large], ({ status }) =>
    status === 404 ? { untested: "This account takes 24 MB." } : String(status),
  );
  for (const [id, assumed, untested] of UNTESTED) check(id, assumed, [], [], () => ({ untested }));
  return succeed(facts);
}

async function checkAccess(check: Check, { read, readAs, postForm }: Probes, account: Answer): Promise<void> {
  check("key", "Our key in HTTP Basic is accepted.", ["success (200)"], [account], describe);
  check("rate-headers", "Answers carry the rate limit.", ["all three"], [account], ({ headers }) => {
    const absent = RATE_HEADERS.filter((name) => headers[name.toLowerCase()] === undefined);
    return absent.length === 0 ? "all three" : `no ${absent.join(", ")}`;
  });
  const resets = ["seconds", "epoch-seconds", "epoch-ms"];
  check("reset-header", "X-RateLimit-Reset is seconds or a moment.", resets, [account], ({ headers }) =>
    describeReset(headers["x-ratelimit-reset"]),
  );
  const refusals = ["401", "403"];
  check("no-key", "A call without a key gets 401 or 403.", refusals, [await readAs(null)], statusOf);
  const wrongKey = await readAs("mailroom-wrong-key");
  check("wrong-key", "A wrong key gets 401 or 403.", refusals, [wrongKey], statusOf);
  check("unknown-path", "An unknown path gets 404.", ["404"], [await read(NO_PATH)], statusOf);
  const unknown = await read(`postcards/get/${NO_PIECE}`);
  check("unknown-piece", "Reading an unknown ID gets 404.", ["404"], [unknown], statusOf);
  const cancel = await postForm("postcards/cancel", `id=${NO_PIECE}`);
  check(
    "unknown-cancel",
    "Cancelling an unknown ID is refused.",
    ["refused"],
    [cancel],
    (answer) => parseCancelOutcome({ kind: "answered", durationMs: 0, ...answer }, 0).kind,
  );
}

/** Returns the answer to a test of a postcard. @param reads other answers that may name a currency */
async function checkTests(
  check: Check,
  { sendTest, readPdf }: Probes,
  reads: ProbeResult[],
): Promise<ProbeResult> {
  const key = randomUUID();
  const sample = await sendTest("postcard", { key });
  check("sample-status", "A test has the status test.", ["test"], [sample], (answer) =>
    describeWord(dataOf(answer).status),
  );
  check("sample-id", "A test has the ID 0.", ["0"], [sample], (answer) => {
    const { id } = dataOf(answer);
    return /^\d{1,15}$/.test(String(id)) ? String(id) : "none";
  });
  check("cost", "A test names its price as a number.", ["a number"], [sample], (answer) =>
    /^\d+(\.\d+)?$/.test(String(dataOf(answer).cost)) ? "a number" : "no number",
  );
  const currencies = ["none", "the configured one"];
  const named = [...reads, sample];
  check("currency", "Answers name no currency but STANNP_CURRENCY.", currencies, named, (...answers) => {
    const found = answers.map((answer) => dataOf(answer).currency).find(Boolean);
    if (found === undefined) return "none";
    const isOurs = String(found).toLowerCase() === env().providerCurrency;
    return isOurs ? "the configured one" : describeWord(found);
  });
  check("postcard-time", "A postcard's time can be read.", ["now"], [sample], describeTime);
  check("pdf-host", "A test's PDF is on the provider's own host.", ["its own"], [sample], (answer) =>
    findPdfAddress(String(dataOf(answer).pdf)) === null ? "another" : "its own",
  );
  const replay = await sendTest("postcard", { key });
  check(
    "replay",
    "The same request with its key gets 409 and the first answer.",
    ["409, the same answer"],
    [sample, replay],
    (first, { status, text }) => `${status}, ${text === first.text ? "the same answer" : "another answer"}`,
  );
  const usedKey = await sendTest("postcard", { key, fields: { message: "Another message" } });
  check(
    "used-key",
    "Another request with a used key makes no second piece.",
    ["refused", "the first answer"],
    [sample, usedKey],
    (first, second) => {
      if (second.text === first.text) return "the first answer";
      return isRefusal(second) || second.status === 409 ? "refused" : describeSample(second);
    },
  );
  const form = await sendTest("postcard", { contentType: FORM_TYPE });
  check("sample-form", "In a form, test=1 makes a test.", ["test"], [form], describeSample);
  const unknownField = await sendTest("postcard", { fields: { mailroom_unknown_field: "1" } });
  check("unknown-field", "Unknown fields are ignored.", ["test"], [unknownField], describeSample);
  const refused = await sendTest("postcard", { fields: { recipient: undefined } });
  check("missing-field", "A refusal has a reason.", ["a reason"], [refused], (answer) => {
    if (!isRefusal(answer)) return describeSample(answer);
    const { error, message } = parseRecord(answer.body);
    const hasReason = [error, message].some((text) => typeof text === "string" && text !== "");
    return hasReason ? "a reason" : "no reason";
  });
  const letter = await sendTest("letter");
  check("sample-letter", "A letter can be tested as JSON.", ["test"], [letter], describeSample);
  check("letter-time", "Times without a zone are UTC.", ["now"], [letter], describeTime);
  const pdf = await readPdf(typeof sample === "string" ? undefined : dataOf(sample).pdf);
  check("pdf", "The PDF opens without a key.", ["a PDF"], [pdf], ({ status }) =>
    status === 200 ? "a PDF" : "no PDF",
  );
  return sample;
}

async function checkLists(check: Check, { read }: Probes, sample: ProbeResult): Promise<void> {
  const now = Date.now();
  const report = `reporting/list/${formatIsoDay(now - 30 * DAY_MS)}/${formatIsoDay(now)}/all`;
  const list = await read(report, { offset: "0", limit: "200" });
  check("list", "The report lists the pieces of a period.", ["a list"], [list], describeList);
  check("list-tags", "The report shows a piece's tags as text.", ["text"], [list], (answer) => {
    const [first] = listOf(answer) ?? [];
    return first ? (typeof first.tags === "string" ? "text" : "no text") : NO_PIECES;
  });
  check("our-tag", "Our tag stands first, and whole.", ["first and whole"], [list], (answer) => {
    const tags = (listOf(answer) ?? [])
      .map((row) => String(row.tags))
      .filter((text) => /mailroom-/.test(text));
    if (tags.length === 0) return { untested: "It lists no piece that Mailroom sent." };
    const isWhole = tags.every((text) => SEND_TAG.test(text.split(",")[0] ?? ""));
    return isWhole ? "first and whole" : "cut or moved";
  });
  check("list-samples", "The report lists no tests.", ["none"], [list, sample], (answer) =>
    (listOf(answer) ?? []).some(({ status, id }) => status === "test" || String(id) === "0")
      ? "tests"
      : "none",
  );
  const next = await read(report, { offset: "1", limit: "200" });
  check("list-offset", "An offset skips as many pieces.", ["the next piece"], [list, next], (...answers) => {
    const [rows = [], [second] = []] = answers.map((answer) => listOf(answer) ?? []);
    if (rows.length < 2) return NO_PIECES;
    if (second === undefined) return "nothing";
    return String(second.id) === String(rows[0]?.id) ? "the first piece again" : "the next piece";
  });
  const end = await read(report, { offset: "1000000", limit: "200" });
  check(
    "list-end",
    "Beyond its end a list is empty, or repeats itself.",
    ["empty", "rows again"],
    [list, end],
    (first, last) => {
      const rows = listOf(last);
      if (!rows) return String(last.status);
      const known = new Set(listOf(first)?.map(({ id }) => String(id)));
      if (rows.length === 0) return "empty";
      return rows.every(({ id }) => known.has(String(id))) ? "rows again" : "other rows";
    },
  );
  const [listed] = (typeof list !== "string" && listOf(list)) || [];
  const id = String(listed?.id);
  const isReadable = /^\d+$/.test(id) && (listed?.type === "letter" || listed?.type === "postcard");
  const piece = await read(isReadable ? `${listed.type}s/get/${id}` : null);
  check("piece", "A piece can be read by its ID.", ["ID and status"], [list, piece], (_, answer) => {
    const { id: named, mailpiece_id, status } = dataOf(answer);
    const isNamed = [named, mailpiece_id].map(String).includes(id);
    return isNamed && typeof status === "string" ? "ID and status" : describe(answer);
  });
  const first = { offset: "0", limit: "1" };
  check("groups", "Groups are listed.", ["a list"], [await read("groups/list", first)], describeList);
  const recipients = await read("recipients/list", first);
  check("recipients", "Recipients are listed.", ["a list"], [recipients], describeList);
}

function isRefusal({ status, body }: Answer): boolean {
  const isDone = status >= 200 && status <= 299;
  return REFUSING_STATUSES.has(status) || (isDone && parseRecord(body).success === false);
}

function statusOf({ status }: Answer): string {
  return String(status);
}

function describe(answer: Answer): string {
  if (isRefusal(answer)) return `refused (${answer.status})`;
  const { success } = parseRecord(answer.body);
  return `${success === true ? "success" : "no envelope"} (${answer.status})`;
}

function describeSample(answer: Answer): string {
  const { id, status } = dataOf(answer);
  return status === "test" || String(id) === "0" ? "test" : describe(answer);
}

function describeList(answer: Answer): string {
  return listOf(answer) ? "a list" : describe(answer);
}

function describePrice(...answers: Answer[]): string {
  const [before = Number.NaN, after = Number.NaN] = answers.map((answer) => Number(dataOf(answer).balance));
  if (Number.isNaN(before) || Number.isNaN(after)) return "no balance in the answer";
  return after >= before ? "nothing" : `${(before - after).toFixed(4)}, or other mail was sent`;
}

function describeWord(value: unknown): string {
  return typeof value === "string" && /^[a-z_]{1,20}$/i.test(value) ? value.toLowerCase() : "no word";
}

function describeTime(answer: Answer): string {
  const created = parseProviderTime(dataOf(answer).created);
  if (created === null) return "unreadable";
  const ahead = created.getTime() - answer.at;
  return Math.abs(ahead) <= CLOCK_TOLERANCE_MS ? "now" : `${(ahead / HOUR_MS).toFixed(1)} h from now`;
}

function describeReset(text: string | undefined): string {
  const number = Number(text);
  if (text === undefined) return "absent";
  if (Number.isNaN(number)) return "no number";
  if (number < 0) return "negative";
  if (number < FIRST_EPOCH_SECONDS) return "seconds";
  return number < FIRST_EPOCH_MS ? "epoch-seconds" : "epoch-ms";
}
