import { buildUrl, findBaseOf } from "~/outside/mail-provider/call/address.server";
import { callProvider } from "~/outside/mail-provider/call/client.server";
import { findKey } from "~/outside/mail-provider/call/keys.server";
import { listPieces } from "~/outside/mail-provider/reporting.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { log } from "~/platform/log.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import type { PrismaClient } from "../../../prisma/client/client";
import { applyStatusWithin } from "../events/apply-event.server";
import { parsePieceFacts } from "../item-record.server";
import { sendLeaseMs, startCallTime } from "../lease.server";
import { RECOVERY } from "../piece-events.server";
import {
  type CallResult,
  callWithPiece,
  formatRefusal,
  isUnderWay,
  parseProviderOutcome,
} from "../send/piece-call.server";
import { askForReview, beginReplay, claimDueSends } from "../send/retry-transitions.server";
import type { SendRecord } from "../send/send-record.server";
import { acceptSend, postponeSend, refuseSend } from "../send/send-transitions.server";
import { alarmIfReleased } from "../send/settle.server";
import { formatSendTag, mayBeOfSend, parseSendId } from "../send-tag";
import { CANCELLED } from "../status";
import { chooseWait, listRecoveryTasks } from "./recovery-tasks.server";

const HOUR_SECONDS = 3_600;
/** The provider remembers a key for 24 h; until this age a repeat is safe. */
const REPLAY_SECONDS = 20 * HOUR_SECONDS;
/** At this age, a piece that the provider does not list does not exist. */
const LISTED_BY_SECONDS = 24 * HOUR_SECONDS;
/** At this age only a person can tell. */
const GIVE_UP_SECONDS = 24.5 * HOUR_SECONDS;
/** Time after a call until the provider's list surely has its piece; the list may lag by a minute. */
const LISTED_SOON_SECONDS = 120;
/** The same for a piece whose retries a person ended: only the list can tell. */
const LISTED_WHEN_GIVEN_UP_SECONDS = 900;
/** Outcomes of calls that did nothing. */
const NOT_DONE: readonly string[] = ["refused", "rate_limited", "never_sent"];
/** The list may have many pages. */
const LIST_TIME_MS = 10_000;
const TREATED_AS_TEST = "the provider treated this as a test, so nothing was mailed.";
const NOT_TOLD_YET = "the provider could not tell yet.";
const REFUSED_BY_NOW =
  "the provider now refuses it; its list is checked again, in case it was mailed before.";
const KEY_NOT_CONFIGURED =
  "it was sent with an API key that this server does not have. Look at the provider's site whether it was mailed.";
const NOT_LISTED_A_DAY_LATER =
  "a day later the provider still lists no piece with its tag, so it was not mailed.";
const RETRY_ENDED_NOT_LISTED = "it was not to be sent again, and the provider lists no piece with its tag.";

/**
 * Lists the tasks that recover open sends that no process works on: each repeats the call with the same key and
 * bytes, later searches the provider's list for its tag, and finally asks for a decision. Any number of processes may
 * do this at once.
 */
export function listSendRecoveries(): BackgroundTask<SendRecord>[] {
  return listRecoveryTasks({
    name: "recover_sends",
    leaseMs: sendLeaseMs,
    claim: claimDueSends,
    async work(send) {
      // A jump of the database's clock ends a lease early.
      if (isUnderWay(send.id)) return succeed(null);
      // Its process stopped before the first call, which no answer reported as made.
      if (send.state === "reserved") {
        const note = "the console stopped before it was sent.";
        return withDatabase((db) => refuseSend(db, send, note, null, "never_called"));
      }
      const repeatable = send.ageSeconds < REPLAY_SECONDS && send.givenUpBy === null;
      const key = findKey(send.keyFingerprint);
      return repeatable && key !== null && findBaseOf(send.url) ? replay(send) : lookUp(send);
    },
  });
}

/** Repeats the call: the provider answers for the first one, or carries it out now. */
async function replay(send: SendRecord): Promise<Outcome<unknown>> {
  const time = startCallTime();
  const begun = await withDatabase((db) => beginReplay(db, send, sendLeaseMs()));
  if (!begun.ok) return begun;
  // Another process has it, or a person ended its retries.
  if (begun.value === null) return succeed(null);
  const call = {
    method: send.method,
    url: send.url,
    headers: JSON.parse(send.requestHeaders) as Record<string, string>,
    body: begun.value,
  };
  const { userId, path: providerPath, id: sendId, keyFingerprint } = send;
  const meta = { userId, providerPath, sendId };
  const { answer, outcome } = await callWithPiece(call, meta, time, keyFingerprint);
  log.info("send.replayed", { sendId, outcome: outcome.kind });
  // A provider that checks its balance before the key may now refuse what it accepted.
  const listed = outcome.kind === "refused" && isAboutFirstCall(answer) ? await findListed(send) : null;
  return withDatabase(async (db) => {
    if (listed?.kind === "found") return acceptListed(db, send, listed);
    if (outcome.kind === "accepted") {
      const account = await acceptSend(db, send.id, outcome.providerId, answer);
      if (!account) await alarmIfReleased(db, send.id);
      return account;
    }
    if (outcome.kind === "sample" || listed?.kind === "sample") {
      const sample = listed?.kind === "sample" ? listed.answer : answer;
      return refuseSend(db, send, TREATED_AS_TEST, sample, "sample");
    }
    const listedIn = LISTED_SOON_SECONDS - sinceCall(send);
    if (listed?.kind === "absent" && listedIn <= 0) {
      return refuseSend(db, send, formatRefusal(send.mailType, answer), answer, "refused");
    }
    const note = listed ? REFUSED_BY_NOW : NOT_TOLD_YET;
    const waitSeconds =
      listed?.kind === "absent"
        ? listedIn
        : chooseWait(send.ageSeconds, outcome.kind === "rate_limited" ? outcome.waitSeconds : undefined);
    const calledSecondsAgo = NOT_DONE.includes(outcome.kind) ? sinceCall(send) : null;
    await postponeSend(db, send, waitSeconds, note, answer, calledSecondsAgo);
    return null;
  });
}

/** Returns the seconds since the last call, before this one, that may have been carried out. */
function sinceCall({ sinceCallSeconds, ageSeconds }: SendRecord): number {
  return sinceCallSeconds ?? ageSeconds;
}

/** False for a refused key (401, 403), which says nothing about an earlier call. */
function isAboutFirstCall(answer: CallResult["answer"]): boolean {
  return answer !== null && answer.status !== 401 && answer.status !== 403;
}

/** Searches the provider's list only, because a repeat could mail a second piece or is not wanted. */
async function lookUp(send: SendRecord): Promise<Outcome<unknown>> {
  const found = await findListed(send);
  // Another account's list proves nothing by lacking a piece.
  const hasKey = findKey(send.keyFingerprint) !== null;
  return withDatabase(async (db) => {
    if (found.kind === "found") return acceptListed(db, send, found);
    if (found.kind === "sample") return refuseSend(db, send, TREATED_AS_TEST, found.answer, "sample");
    if (!hasKey) return askForReview(db, send.id, KEY_NOT_CONFIGURED);
    const isAbsent = found.kind === "absent";
    if (isAbsent && send.ageSeconds >= LISTED_BY_SECONDS) {
      return refuseSend(db, send, NOT_LISTED_A_DAY_LATER, null, "not_listed");
    }
    if (isAbsent && send.givenUpBy !== null && sinceCall(send) >= LISTED_WHEN_GIVEN_UP_SECONDS) {
      return refuseSend(db, send, RETRY_ENDED_NOT_LISTED, null, "not_listed");
    }
    if (!isAbsent && send.ageSeconds >= GIVE_UP_SECONDS) {
      return askForReview(db, send.id, "the provider did not answer for a day.");
    }
    const note = isAbsent ? "the provider's list does not have it yet." : NOT_TOLD_YET;
    await postponeSend(db, send, chooseWait(send.ageSeconds), note);
    return null;
  });
}

type PieceAnswer = NonNullable<CallResult["answer"]>;
type Found = { kind: "found"; providerId: string | null; answer: PieceAnswer };

/** Accepts a listed piece with its present status, which may be its last, in one transaction. */
async function acceptListed(db: PrismaClient, send: SendRecord, { providerId, answer }: Found) {
  const { status } = parsePieceFacts(parseJson(answer.text));
  const account = await db.$transaction(async (tx) => {
    const accepted = await acceptSend(tx, send.id, providerId, answer);
    if (status === CANCELLED) {
      await applyStatusWithin(tx, send.id, { status, source: RECOVERY, reportedAt: null });
    }
    return accepted;
  });
  if (!account && status !== CANCELLED) await alarmIfReleased(db, send.id);
  return account;
}

type Listed =
  | Found
  /** The provider treated it as a test: nothing is mailed or charged. */
  | { kind: "sample"; answer: PieceAnswer }
  /** A clean, empty answer. */
  | { kind: "absent" }
  | { kind: "unclear" };

async function findListed(send: SendRecord): Promise<Listed> {
  const base = findBaseOf(send.url);
  if (!base) return { kind: "unclear" };
  const keyFingerprint = findKey(send.keyFingerprint) === null ? null : send.keyFingerprint;
  // Both days follow the database's clock. A range that ends before it begins proves nothing.
  const createdAt = send.createdAt.getTime();
  const days = {
    from: formatIsoDay(createdAt - DAY_MS),
    to: formatIsoDay(createdAt + send.ageSeconds * 1000 + DAY_MS),
  };
  if (days.to < days.from) return { kind: "unclear" };
  const url = buildUrl(base, `reporting/list/${days.from}/${days.to}/all/${formatSendTag(send.id)}`, {});
  if (!url.ok) return { kind: "unclear" };
  const call = { method: "GET", url: url.value, headers: {}, body: null, signal: null, keyFingerprint };
  const result = await callProvider(call);
  if (result.kind !== "answered" || result.status !== 200) return { kind: "unclear" };
  const pieces = parseListed(parseJson(result.text));
  if (pieces === null) return { kind: "unclear" };
  const own = pieces.filter(({ tags }) => parseSendId(String(tags)) === send.id);
  if (own.length === 0) {
    if (pieces.length > 0) return { kind: "unclear" };
    // A provider that cuts tags does not find its pieces by them, so the whole list must lack anything that may be
    // ours.
    const all = await listPieces(base, days, performance.now() + LIST_TIME_MS, keyFingerprint);
    const maybe = all.pieces.some(({ tags }) => mayBeOfSend(tags, send.id));
    return { kind: all.problem || maybe ? "unclear" : "absent" };
  }
  const read = own.map((piece) => {
    const text = JSON.stringify({ success: true, data: piece });
    const answer = { status: 200, headers: {}, text, durationMs: result.durationMs };
    return { answer, outcome: parseProviderOutcome(answer) };
  });
  for (const { outcome, answer } of read) {
    if (outcome.kind === "accepted") return { kind: "found", providerId: outcome.providerId, answer };
  }
  const [sample] = read;
  return sample?.outcome.kind === "sample" ? { kind: "sample", answer: sample.answer } : { kind: "unclear" };
}

/** Parses a successful listing, in either of its documented shapes; null for anything else. */
function parseListed(parsed: unknown): Record<string, unknown>[] | null {
  const { success, data } = parseRecord(parsed);
  const list = Array.isArray(data) ? data : parseRecord(data).singles;
  return success === true && Array.isArray(list) ? list.map(parseRecord) : null;
}
