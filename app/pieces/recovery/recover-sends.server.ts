import { buildUrl, findBaseOf } from "~/outside/mail-provider/address.server";
import { callProvider } from "~/outside/mail-provider/client.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { log } from "~/platform/log.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import type { PrismaClient } from "../../../prisma/client/client";
import { applyStatusWithin } from "../events/apply-event.server";
import { readPieceFacts } from "../item-record.server";
import { sendLeaseMs } from "../lease.server";
import {
  NEVER_CALLED,
  NOT_ASKED_WITHIN_A_DAY,
  NOT_LISTED_A_DAY_LATER,
  NOT_LISTED_YET,
  NOT_TOLD_YET,
  REFUSED_BY_NOW,
  TREATED_AS_TEST,
} from "../messages";
import type { SendRecord } from "../send/find-send.server";
import { type CallResult, callWithPiece, formatRefusal } from "../send/piece-call.server";
import { parseProviderOutcome } from "../send/provider-outcome";
import {
  acceptSend,
  askForReview,
  claimDueSends,
  postponeSend,
  refuseSend,
} from "../send/send-transitions.server";
import { alarmIfReleased } from "../send/settle.server";
import { formatSendTag, parseSendId } from "../send-tag";
import { CANCELLED } from "../status";
import { chooseWait } from "./pace";

const BATCH_SIZE = 8;
const HOUR_SECONDS = 3_600;
/** The provider remembers a key for 24 h; until then a replay tells the truth. */
const REPLAY_SECONDS = 20 * HOUR_SECONDS;
/** From then on a piece that the provider does not list does not exist. */
const LISTED_BY_SECONDS = 24 * HOUR_SECONDS;
/** From then on only a person can tell. */
const GIVE_UP_SECONDS = 24.5 * HOUR_SECONDS;
/**
 * From then on a list without a young piece means that there is none: it may be late by moments, not by this. Within
 * the 60 s in which all is to be settled.
 */
const LISTED_SOON_SECONDS = 30;

/**
 * Recovers open sends that no process works on any more: replays each with the same key and bytes, later looks for
 * its tag in the provider's list, and at last asks for a decision. Any number of processes may do so at once.
 */
export const recoverSends: BackgroundTask<SendRecord> = {
  name: "recover_sends",
  batchSize: BATCH_SIZE,
  atOnce: BATCH_SIZE,
  async claim(limit) {
    const { providerKey, baseUrls } = env();
    if (providerKey === null) return succeed([]);
    const terms = {
      leaseMs: sendLeaseMs(),
      limit,
      baseUrls: baseUrls.map(({ url }) => url),
      anyoneAfterSeconds: REPLAY_SECONDS,
    };
    return withDatabase((db) => claimDueSends(db, terms));
  },
  async work(send) {
    if (send.state === "reserved") return giveUp(send);
    return send.ageSeconds < REPLAY_SECONDS ? replay(send) : lookUp(send);
  },
};

/** Its process stopped before the first call: nobody was told that it goes out, so it does not. */
function giveUp(send: SendRecord): Promise<Outcome<unknown>> {
  return withDatabase((db) => refuseSend(db, send, NEVER_CALLED, null));
}

/** The very call once more: the provider answers what became of the first one, or does it now. */
async function replay(send: SendRecord): Promise<Outcome<unknown>> {
  const call = {
    method: send.method,
    url: send.url,
    headers: JSON.parse(send.requestHeaders) as Record<string, string>,
    body: send.requestBody,
  };
  const { answer, outcome } = await callWithPiece(call, {
    userId: send.userId,
    providerPath: send.path,
    sendId: send.id,
  });
  log.info("send.replayed", { sendId: send.id, outcome: outcome.kind });
  // What is refused now may have been done then, by a provider that looks at its balance before it looks at the key.
  const listed = outcome.kind === "refused" && tellsOfTheFirst(answer) ? await findListed(send) : null;
  return withDatabase(async (db) => {
    if (listed?.kind === "found") return acceptListed(db, send, listed);
    if (outcome.kind === "accepted") {
      const account = await acceptSend(db, send.id, outcome.providerId, answer);
      if (!account) await alarmIfReleased(db, send.id);
      return account;
    }
    if (outcome.kind === "sample" || listed?.kind === "sample") {
      return refuseSend(db, send, TREATED_AS_TEST, listed?.kind === "sample" ? listed.answer : answer);
    }
    if (listed?.kind === "absent" && send.ageSeconds >= LISTED_SOON_SECONDS) {
      return refuseSend(db, send, formatRefusal(send.mailType, answer), answer);
    }
    const note = listed ? REFUSED_BY_NOW : NOT_TOLD_YET;
    const waitSeconds =
      listed?.kind === "absent"
        ? LISTED_SOON_SECONDS - send.ageSeconds
        : chooseWait(send.ageSeconds, outcome.kind === "rate_limited" ? outcome.waitSeconds : undefined);
    await postponeSend(db, send, waitSeconds, note, answer);
    return null;
  });
}

/** A key refused today (401, 403) says nothing about what was accepted yesterday. */
function tellsOfTheFirst(answer: CallResult["answer"]): boolean {
  return answer !== null && answer.status !== 401 && answer.status !== 403;
}

/** By now a replay could mail a second piece: only a look at the provider's list is safe. */
async function lookUp(send: SendRecord): Promise<Outcome<unknown>> {
  const found = await findListed(send);
  return withDatabase(async (db) => {
    if (found.kind === "found") return acceptListed(db, send, found);
    if (found.kind === "sample") return refuseSend(db, send, TREATED_AS_TEST, found.answer);
    if (found.kind === "absent" && send.ageSeconds >= LISTED_BY_SECONDS) {
      return refuseSend(db, send, NOT_LISTED_A_DAY_LATER, null);
    }
    if (found.kind === "unclear" && send.ageSeconds >= GIVE_UP_SECONDS) {
      await askForReview(db, send.id, NOT_ASKED_WITHIN_A_DAY);
      return null;
    }
    await postponeSend(db, send, chooseWait(send.ageSeconds), NOT_LISTED_YET);
    return null;
  });
}

type PieceAnswer = NonNullable<CallResult["answer"]>;
type Found = { kind: "found"; providerId: string | null; answer: PieceAnswer };

/** With its status of now, which may be its last one, in one transaction: nothing looks at it again. */
async function acceptListed(db: PrismaClient, send: SendRecord, { providerId, answer }: Found) {
  const { status } = readPieceFacts(parseJson(answer.text));
  const account = await db.$transaction(async (tx) => {
    const accepted = await acceptSend(tx, send.id, providerId, answer);
    if (status === CANCELLED) {
      await applyStatusWithin(tx, send.id, { status, source: "reconcile", saidAt: null });
    }
    return accepted;
  });
  if (!account && status !== CANCELLED) await alarmIfReleased(db, send.id);
  return account;
}

type Listed =
  | Found
  /** The provider did it as a test: nothing is mailed, nothing is charged. */
  | { kind: "sample"; answer: PieceAnswer }
  /** A clean, empty answer. */
  | { kind: "absent" }
  | { kind: "unclear" };

async function findListed(send: SendRecord): Promise<Listed> {
  const base = findBaseOf(send.url);
  if (!base) return { kind: "unclear" };
  const tag = formatSendTag(send.id);
  const from = formatIsoDay(send.createdAt.getTime() - DAY_MS);
  const to = formatIsoDay(Date.now() + DAY_MS);
  const url = buildUrl(base, `reporting/list/${from}/${to}/all/${tag}`, {});
  if (!url.ok) return { kind: "unclear" };
  const result = await callProvider({ method: "GET", url: url.value, headers: {}, body: null, signal: null });
  if (result.kind !== "answered" || result.status !== 200) return { kind: "unclear" };
  const pieces = readPieces(parseJson(result.text));
  if (pieces === null) return { kind: "unclear" };
  const own = pieces.filter(({ tags }) => parseSendId(String(tags)) === send.id);
  if (own.length === 0) return { kind: pieces.length === 0 ? "absent" : "unclear" };
  const read = own.map((piece) => {
    const parsed = { success: true, data: piece };
    const text = JSON.stringify(parsed);
    const answer = { status: 200, headers: {}, text, durationMs: result.durationMs };
    return { answer, outcome: parseProviderOutcome({ ...answer, parsed }) };
  });
  for (const { outcome, answer } of read) {
    if (outcome.kind === "accepted") return { kind: "found", providerId: outcome.providerId, answer };
  }
  const [sample] = read;
  return sample?.outcome.kind === "sample" ? { kind: "sample", answer: sample.answer } : { kind: "unclear" };
}

/** The pieces of a successful listing, in either of its documented shapes; null for anything else. */
function readPieces(parsed: unknown): Record<string, unknown>[] | null {
  const { success, data } = parseRecord(parsed);
  const list = Array.isArray(data) ? data : parseRecord(data).singles;
  return success === true && Array.isArray(list) ? list.map(parseRecord) : null;
}
