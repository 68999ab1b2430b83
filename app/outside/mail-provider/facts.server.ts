import { env } from "~/platform/env.server";
import { parseRecord } from "~/platform/json-value";
import { HOUR_MS, MINUTE_MS } from "~/platform/time";
import { parseCancelOutcome } from "./piece.server";
import { type Answer, type Answers, listOf, type ProbeName } from "./probes.server";
import { findPdfAddress } from "./provider-pdf.server";
import { REFUSING_STATUSES } from "./refusal";
import { parseProviderTime } from "./time";

/** One assumption of ours about the provider. */
export interface Fact {
  id: string;
  /** The assumption, as a sentence. */
  assumed: string;
  /** Calls whose answers show it. Empty: it takes real mail, money or time. */
  probes: readonly ProbeName[];
  /** Findings that the code can handle. */
  expected: readonly string[];
  /**
   * Describes the answers in our own words, because they may hold personal data. Returns `untested` with the reason when
   * this account cannot show the fact.
   */
  see(answers: Answers): string | { untested: string };
}

const CLOCK_TOLERANCE_MS = 15 * MINUTE_MS;
const SEND_TAG = /^mailroom-[0-9a-z]{8,64}$/;
const RATE_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const FIRST_EPOCH_SECONDS = 1_000_000_000;
const FIRST_EPOCH_MS = 1_000_000_000_000;
const NO_PIECES = { untested: "This account listed no piece in the last 30 days." };

/** Every assumption of the code, in the order of the report. */
export const FACTS: readonly Fact[] = [
  fact("key", "Our key in HTTP Basic is accepted.", ["account"], ["success (200)"], ({ account }) =>
    describe(account),
  ),
  status("no-key", "A call without a key gets 401 or 403.", "noKey", ["401", "403"]),
  status("wrong-key", "A wrong key gets 401 or 403.", "wrongKey", ["401", "403"]),
  status("unknown-path", "An unknown path gets 404.", "unknownPath", ["404"]),
  status("unknown-piece", "Reading an unknown ID gets 404.", "unknownPiece", ["404"]),
  fact(
    "unknown-cancel",
    "Cancelling an unknown ID is refused.",
    ["unknownCancel"],
    ["refused"],
    (answers) => {
      const { unknownCancel: answer } = answers;
      return parseCancelOutcome({ kind: "answered", ...answer }, 0).kind;
    },
  ),
  fact("sample-status", "A test has the status test.", ["sample"], ["test"], ({ sample }) =>
    describeWord(dataOf(sample).status),
  ),
  fact("sample-id", "A test has the ID 0.", ["sample"], ["0"], ({ sample }) => {
    const { id } = dataOf(sample);
    return /^\d{1,15}$/.test(String(id)) ? String(id) : "none";
  }),
  sampled("sample-form", "In a form, test=1 makes a test.", "sampleForm"),
  sampled("sample-letter", "A letter can be tested as JSON.", "sampleLetter"),
  sampled("unknown-field", "Unknown fields are ignored.", "unknownField"),
  fact("missing-field", "A refusal has a reason.", ["noRecipient"], ["a reason"], ({ noRecipient }) => {
    if (!isRefusal(noRecipient)) return describeSample(noRecipient);
    const { error, message } = parseRecord(noRecipient.body);
    return [error, message].some((text) => typeof text === "string" && text !== "")
      ? "a reason"
      : "no reason";
  }),
  fact(
    "replay",
    "The same request with its key gets 409 and the first answer.",
    ["sample", "replay"],
    ["409, the same answer"],
    ({ sample, replay }) =>
      `${replay.status}, ${replay.text === sample.text ? "the same answer" : "another answer"}`,
  ),
  fact(
    "used-key",
    "Another request with a used key makes no second piece.",
    ["sample", "usedKey"],
    ["refused", "the first answer"],
    ({ sample, usedKey }) => {
      if (usedKey.text === sample.text) return "the first answer";
      return isRefusal(usedKey) || usedKey.status === 409 ? "refused" : describeSample(usedKey);
    },
  ),
  fact("test-price", "A test costs nothing.", ["balance", "balanceAfter"], ["nothing"], (answers) => {
    const before = Number(dataOf(answers.balance).balance);
    const after = Number(dataOf(answers.balanceAfter).balance);
    if (Number.isNaN(before) || Number.isNaN(after)) return "no balance in the answer";
    return after >= before ? "nothing" : `${(before - after).toFixed(4)}, or other mail was sent`;
  }),
  fact("cost", "A test names its price as a number.", ["sample"], ["a number"], ({ sample }) =>
    /^\d+(\.\d+)?$/.test(String(dataOf(sample).cost)) ? "a number" : "no number",
  ),
  fact(
    "currency",
    "Answers name no currency but STANNP_CURRENCY.",
    ["account", "balance", "sample"],
    ["none", "the configured one"],
    ({ account, balance, sample }) => {
      const found = [account, balance, sample].map((answer) => dataOf(answer).currency).find(Boolean);
      if (found === undefined) return "none";
      const isOurs = String(found).toLowerCase() === env().providerCurrency;
      return isOurs ? "the configured one" : describeWord(found);
    },
  ),
  timed("postcard-time", "A postcard's time can be read.", "sample"),
  timed("letter-time", "Times without a zone are UTC.", "sampleLetter"),
  fact("pdf-host", "A test's PDF is on the provider's own host.", ["sample"], ["its own"], ({ sample }) =>
    findPdfAddress(String(dataOf(sample).pdf)) === null ? "another" : "its own",
  ),
  fact("pdf", "The PDF opens without a key.", ["samplePdf"], ["a PDF"], ({ samplePdf }) =>
    samplePdf.status === 200 ? "a PDF" : "no PDF",
  ),
  fact("rate-headers", "Answers carry the rate limit.", ["account"], ["all three"], ({ account }) => {
    const absent = RATE_HEADERS.filter((name) => account.headers[name.toLowerCase()] === undefined);
    return absent.length === 0 ? "all three" : `no ${absent.join(", ")}`;
  }),
  fact(
    "reset-header",
    "X-RateLimit-Reset is a number of seconds or a moment.",
    ["account"],
    ["seconds", "epoch-seconds", "epoch-ms"],
    ({ account }) => describeReset(account.headers["x-ratelimit-reset"]),
  ),
  fact("large-body", "A body that is too large gets 413.", ["large"], ["413"], ({ large }) =>
    large.status === 404 ? { untested: "This account takes 24 MB." } : String(large.status),
  ),
  listed("list", "The report lists the pieces of a period.", "list"),
  fact("list-tags", "The report shows a piece's tags as text.", ["list"], ["text"], ({ list }) => {
    const [first] = listOf(list) ?? [];
    return first ? (typeof first.tags === "string" ? "text" : "no text") : NO_PIECES;
  }),
  fact("our-tag", "Our tag stands first, and whole.", ["list"], ["first and whole"], ({ list }) => {
    const tags = (listOf(list) ?? []).map((row) => String(row.tags)).filter((text) => /mailroom-/.test(text));
    if (tags.length === 0) return { untested: "It lists no piece that Mailroom sent." };
    const isWhole = tags.every((text) => SEND_TAG.test(text.split(",")[0] ?? ""));
    return isWhole ? "first and whole" : "cut or moved";
  }),
  fact("list-samples", "The report lists no tests.", ["sample", "list"], ["none"], ({ list }) =>
    (listOf(list) ?? []).some(({ status, id }) => status === "test" || String(id) === "0") ? "tests" : "none",
  ),
  fact(
    "list-offset",
    "An offset skips as many pieces.",
    ["list", "listNext"],
    ["the next piece"],
    (answers) => {
      const [rows, [next]] = [listOf(answers.list) ?? [], listOf(answers.listNext) ?? []];
      if (rows.length < 2) return NO_PIECES;
      if (next === undefined) return "nothing";
      return String(next.id) === String(rows[0]?.id) ? "the first piece again" : "the next piece";
    },
  ),
  fact(
    "list-end",
    "Beyond its end a list is empty, or repeats itself.",
    ["list", "listEnd"],
    ["empty", "rows again"],
    ({ list, listEnd }) => {
      const rows = listOf(listEnd);
      if (!rows) return String(listEnd.status);
      const known = new Set(listOf(list)?.map(({ id }) => String(id)));
      if (rows.length === 0) return "empty";
      return rows.every(({ id }) => known.has(String(id))) ? "rows again" : "other rows";
    },
  ),
  fact("piece", "A piece can be read by its ID.", ["list", "piece"], ["ID and status"], ({ piece }) => {
    const { id, mailpiece_id, status } = dataOf(piece);
    const isNamed = [id, mailpiece_id].map(String).includes(piece.id ?? "");
    return isNamed && typeof status === "string" ? "ID and status" : describe(piece);
  }),
  listed("groups", "Groups are listed.", "groups"),
  listed("recipients", "Recipients are listed.", "recipients"),
  needs("false-in-form", "In a form, false is read as true.", "A wrong guess would mail."),
  needs("rate-limit", "429 means that nothing was done.", "It takes more calls than this command makes."),
  needs("retry-after", "A 429 says when to call again.", "It takes more calls than this command makes."),
  needs("pdf-life", "A PDF's link expires after about 30 minutes.", "It takes longer than this command."),
  needs("key-life", "A key is remembered for 24 hours.", "It takes longer than this command."),
  needs("live-id", "A live piece has an ID of its own.", "It takes real mail."),
  needs("late-cancel", "A piece in production cannot be cancelled.", "It takes real mail."),
  needs("webhook", "Events are signed in X-Stannp-Signature.", "It takes real mail."),
  needs("address-check", "An address check answers is_valid.", "It may be billed."),
];

function fact(
  id: string,
  assumed: string,
  probes: readonly ProbeName[],
  expected: readonly string[],
  see: Fact["see"],
): Fact {
  return { id, assumed, probes, expected, see };
}

function status(id: string, assumed: string, probe: ProbeName, expected: readonly string[]): Fact {
  return fact(id, assumed, [probe], expected, (answers) => String(answers[probe].status));
}

function sampled(id: string, assumed: string, probe: ProbeName): Fact {
  return fact(id, assumed, [probe], ["test"], (answers) => describeSample(answers[probe]));
}

function listed(id: string, assumed: string, probe: ProbeName): Fact {
  return fact(id, assumed, [probe], ["a list"], (answers) =>
    listOf(answers[probe]) ? "a list" : describe(answers[probe]),
  );
}

function timed(id: string, assumed: string, probe: ProbeName): Fact {
  return fact(id, assumed, [probe], ["now"], (answers) => describeTime(answers[probe]));
}

function needs(id: string, assumed: string, untested: string): Fact {
  return { id, assumed, probes: [], expected: [], see: () => ({ untested }) };
}

/** Returns the `data` of an answer, with or without an envelope. */
export function dataOf({ body }: Answer): Record<string, unknown> {
  const record = parseRecord(body);
  return record.success === undefined ? record : parseRecord(record.data);
}

/** True when a letter or postcard was accepted and the answer does not say that it is a test. */
export function isLiveMail(answer: Answer): boolean {
  const { id, status } = dataOf(answer);
  const isAccepted = id !== undefined || parseRecord(answer.body).success === true;
  return isAccepted && status !== "test" && String(id) !== "0";
}

function isRefusal({ status, body }: Answer): boolean {
  const isDone = status >= 200 && status <= 299;
  return REFUSING_STATUSES.has(status) || (isDone && parseRecord(body).success === false);
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

/** Formats a single word of the provider, such as a status. */
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
