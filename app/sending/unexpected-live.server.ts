import { randomUUID } from "node:crypto";
import { type NewAlarm, openAlarm } from "~/alarms/alarm-record.server";
import { MAIL_PRICES } from "~/catalogue/prices";
import { ensureAccount, loadAccount } from "~/credits/ledger/ledger.server";
import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { recordTestItem } from "~/pieces/item-record.server";
import type { MailType } from "~/pieces/mail-type";
import { alarmPiece } from "~/pieces/piece-events.server";
import { findStoredPiece } from "~/pieces/send/find-send.server";
import { parseProviderOutcome } from "~/pieces/send/provider-outcome";
import { OWN_KEYS } from "~/pieces/send/send-id.server";
import { recordUnexpectedSend, type UnexpectedSend } from "~/pieces/send/send-transitions.server";
import { storeAfterCall } from "~/platform/database/store-after-call.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { log } from "~/platform/log.server";
import { replaySpool, writeSpool } from "~/platform/spool.server";
import type { Addressee } from "~/recipients/addressee.server";
import type { PrismaClient } from "../../prisma/client/client";
import type { Remarks } from "./format-answer.server";
import {
  CANCEL_AT_ONCE,
  formatKnownPiece,
  formatMailedThoughSample,
  formatMailedThoughTest,
  formatPartlyCharged,
  NOWHERE_STORED,
  STORED_LATER,
} from "./messages";
import type { CreditOutcome } from "./proxy-types";

/** A test as it was asked for. */
interface TestSend {
  mailType: MailType;
  path: string;
  payerId: string;
  requestHash: string;
  baseUrl: string;
  addressee: Addressee;
}

/** All that is to be stored of a test that was mailed. */
interface UnexpectedLive {
  send: Omit<UnexpectedSend, "userId">;
  /** A test may name anyone as payer; where there is no such user, who sent it pays. */
  payerId: string;
  viewer: Pick<Viewer, "id" | "displayName" | "email">;
  baseUrl: string;
  providerId: string;
  answer: ProviderAnswer;
}

/** `sendId` is null when the answer was about a piece that was stored before. */
interface StoredPiece {
  sendId: string | null;
  userId: string;
  charged: number;
  balance: number;
}

const SPOOL_KIND = "unexpected_live";

/** Stores, once the database is back, what was mailed although a test was asked for. */
export const replayUnexpectedLive = replaySpool(SPOOL_KIND, (content) =>
  storeAfterCall(async (db) => {
    const fact = content as UnexpectedLive | { alarm: NewAlarm };
    await ("alarm" in fact ? openAlarm(db, fact.alarm) : storeUnexpectedLive(db, fact));
  }),
);

/**
 * Opens an alarm when the provider mailed what was sent as a sample by a path without a price: there is no piece to
 * charge, so a person decides.
 */
export async function alarmUnexpectedSample(
  answer: ProviderAnswer,
  path: string,
  { viewer, payerId }: { viewer: Viewer; payerId: string },
): Promise<Remarks> {
  const outcome = parseProviderOutcome({ ...answer, parsed: parseJson(answer.text) });
  if (outcome.kind !== "accepted" || outcome.providerId === null) return {};
  const { providerId } = outcome;
  const text = formatMailedThoughSample(path, providerId);
  const alarm: NewAlarm = {
    kind: "mailed_as_test",
    subject: { type: "system", id: `mail ${providerId}` },
    text,
    facts: { provider_id: providerId, user: payerId, actor: viewer.actorId },
    once: true,
  };
  const opened = await storeAfterCall((db) => openAlarm(db, alarm));
  if (!opened.ok) await keepForLater({ alarm }, payerId, providerId);
  return { hint: `${text} ${CANCEL_AT_ONCE}` };
}

/**
 * Checks the answer to a test. When the provider says that it mailed the piece all the same, the payer is charged as far
 * as the balance allows and the send is recorded, with an alarm; later, also by another process, if the database cannot
 * take it now. A piece that is stored already is not charged again. A sample only joins the list of mail items.
 */
export async function recordUnexpectedLive(
  answer: ProviderAnswer,
  frozen: FrozenCall,
  test: TestSend,
  viewer: Viewer,
): Promise<{ credits: CreditOutcome | null; remarks: Remarks }> {
  const outcome = parseProviderOutcome({ ...answer, parsed: parseJson(answer.text) });
  const { mailType, payerId, path, baseUrl, addressee } = test;
  if (outcome.kind === "sample") {
    const item = { userId: payerId, type: mailType, method: frozen.method, path, baseUrl, addressee };
    const pieceId = await recordTestItem(item, viewer);
    return { credits: null, remarks: pieceId === null ? {} : { piece_id: pieceId } };
  }
  if (outcome.kind !== "accepted" || outcome.providerId === null) return { credits: null, remarks: {} };
  const { providerId } = outcome;
  const cost = MAIL_PRICES[mailType];
  const id = randomUUID().replaceAll("-", "");
  const fact: UnexpectedLive = {
    send: {
      id,
      actorId: viewer.id,
      via: viewer.token?.name ?? null,
      idempotencyKey: `${OWN_KEYS.unexpected}${id}`,
      requestHash: test.requestHash,
      mailType,
      cost,
      method: frozen.method,
      path,
      url: frozen.url,
      requestHeaders: JSON.stringify(frozen.headers),
      requestBody: frozen.body ?? "",
      addressee,
    },
    payerId,
    viewer: { id: viewer.id, displayName: viewer.displayName, email: viewer.email },
    baseUrl,
    providerId,
    answer,
  };
  const note = formatMailedThoughTest(mailType);
  const hint = `${note} ${CANCEL_AT_ONCE}`;
  const stored = await storeAfterCall((db) => storeUnexpectedLive(db, fact));
  const base = { mailType, creditsDeducted: 0, newBalance: null, userId: payerId };
  if (!stored.ok) {
    const untracked = env().database.kind === "none";
    const error = untracked ? stored.failure.message : await keepForLater(fact, payerId, providerId);
    const pending = untracked ? {} : { pending: true as const };
    return { credits: { ...base, success: false, error: `${note} ${error}`, ...pending }, remarks: { hint } };
  }
  const { charged, userId, balance, sendId } = stored.value;
  if (sendId === null) return { credits: null, remarks: { hint: formatKnownPiece(mailType, providerId) } };
  const error = charged < cost ? `${note} ${formatPartlyCharged(cost, charged)}` : null;
  return {
    credits: {
      ...base,
      success: error === null,
      creditsDeducted: charged,
      newBalance: balance,
      userId,
      error,
    },
    remarks: { hint, send_id: sendId },
  };
}

/** Writes a fact that the database could not take to the spool. Returns the sentence about it. */
async function keepForLater(
  fact: UnexpectedLive | { alarm: NewAlarm },
  userId: string,
  pieceId: string,
): Promise<string> {
  if (await writeSpool(SPOOL_KIND, fact)) return STORED_LATER;
  log.error("send.unexpected_live_lost", { userId, pieceId });
  return NOWHERE_STORED;
}

/** Once, however often it is called for the same fact, or for the same piece at the provider. */
function storeUnexpectedLive(db: PrismaClient, fact: UnexpectedLive): Promise<StoredPiece> {
  const { send, payerId, viewer, baseUrl, providerId, answer } = fact;
  return db.$transaction(async (tx) => {
    // Two answers about one piece at the same moment: the second waits here, then finds it stored.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${baseUrl} ${providerId}`}, 0))`;
    await ensureViewerStored(tx, viewer);
    const userId = (await userExists(tx, payerId)) ? payerId : viewer.id;
    const known = await findStoredPiece(tx, providerId, baseUrl);
    if (known !== null) {
      const sendId = known.id === send.id ? known.id : null;
      return { sendId, userId, charged: known.charged, balance: (await loadAccount(tx, userId)).balance };
    }
    await ensureAccount(tx, userId);
    const note = formatMailedThoughTest(send.mailType);
    const charged = await recordUnexpectedSend(tx, { ...send, userId }, providerId, answer, note);
    const facts = { provider_id: providerId, credits: charged, user: userId };
    await alarmPiece(tx, send.id, { kind: "mailed_as_test", text: note, facts, source: "send" });
    return { sendId: send.id, userId, charged, balance: (await loadAccount(tx, userId)).balance };
  });
}
