import { randomUUID } from "node:crypto";
import { type NewAlarm, openAlarm } from "~/alarms/alarm-record.server";
import { ensureAccount, loadAccount } from "~/credits/ledger/ledger.server";
import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { storeAfterCall } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { replaySpool, writeSpool } from "~/platform/spool.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { recordTestItem } from "../item-record.server";
import { formatMailedThoughTest } from "../messages";
import { alarmPiece } from "../piece-events.server";
import { parseProviderOutcome } from "./piece-call.server";
import { describeSend, type OpenOrder, type UnexpectedSend } from "./piece-order.server";
import { findStoredPiece, OWN_KEYS } from "./send-record.server";
import { recordUnexpectedSend } from "./send-transitions.server";

const STORED_LATER = "The database could not store it; it is charged once when the database is back.";
const NOWHERE_STORED =
  "Neither the database nor the disk could store it: note its ID, and charge it by an adjustment.";

export type MailedTest =
  /** The answer is about a piece that was stored before, so nothing is charged. */
  | { kind: "known"; providerId: string }
  /** Charged as far as the balance allows. */
  | { kind: "stored"; sendId: string; userId: string; charged: number; balance: number }
  /** Not charged, or not yet. `pending`: it is charged once the database is back. */
  | { kind: "unstored"; message: string; pending: boolean };

/** The stored facts of a test that was mailed. */
interface UnexpectedLive {
  send: Omit<UnexpectedSend, "userId">;
  /** A test may name any payer; if the user does not exist, the sender pays. */
  payerId: string;
  viewer: Pick<Viewer, "id" | "displayName" | "email">;
  baseUrl: string;
  providerId: string;
  answer: ProviderAnswer;
}

const SPOOL_KIND = "unexpected_live";

/** Stores tests that were mailed while the database was away. */
export const replayUnexpectedLive = replaySpool(SPOOL_KIND, (content) =>
  storeAfterCall(async (db) => {
    const fact = content as UnexpectedLive | { alarm: NewAlarm };
    await ("alarm" in fact ? openAlarm(db, fact.alarm) : storeUnexpectedLive(db, fact));
  }),
);

/**
 * Opens an alarm when the provider mailed a sample by a path without a price: there is no piece to charge, so a
 * person decides. Returns a sentence about it; null for a sample.
 */
export async function alarmUnexpectedSample(
  answer: ProviderAnswer,
  path: string,
  { viewer, payerId }: { viewer: Viewer; payerId: string },
): Promise<string | null> {
  const outcome = parseProviderOutcome(answer);
  if (outcome.kind !== "accepted" || outcome.providerId === null) return null;
  const { providerId } = outcome;
  const text = `${path} was sent as a test, and the provider mailed it as item ${providerId}. It has no price here, so nothing was charged.`;
  const alarm: NewAlarm = {
    kind: "mailed_as_test",
    subject: { type: "system", id: `mail ${providerId}` },
    text,
    facts: { provider_id: providerId, user: payerId, actor: viewer.actorId },
    once: true,
  };
  const opened = await storeAfterCall((db) => openAlarm(db, alarm));
  if (!opened.ok) await spoolFact({ alarm }, payerId, providerId);
  return text;
}

/**
 * Records the answer to a test: a sample joins the list of mail items, by `pieceId`. If the provider mailed the
 * piece, the payer is charged as far as the balance allows and the send is recorded, with an alarm; later, by any
 * process, if the database cannot take it now. A piece that is stored already is not charged again.
 */
export async function recordTest(
  answer: ProviderAnswer,
  frozen: FrozenCall,
  order: OpenOrder,
): Promise<{ pieceId: string | null; mailed: MailedTest | null }> {
  const outcome = parseProviderOutcome(answer);
  const { call, payerId, viewer } = order;
  if (outcome.kind === "sample")
    return { pieceId: await recordTestItem(call, payerId, viewer), mailed: null };
  if (outcome.kind !== "accepted" || outcome.providerId === null) return { pieceId: null, mailed: null };
  const { providerId } = outcome;
  const id = randomUUID().replaceAll("-", "");
  const fact: UnexpectedLive = {
    send: { ...describeSend(order, frozen, call.body), id, idempotencyKey: `${OWN_KEYS.unexpected}${id}` },
    payerId,
    viewer: { id: viewer.id, displayName: viewer.displayName, email: viewer.email },
    baseUrl: call.baseUrl,
    providerId,
    answer,
  };
  const stored = await storeAfterCall((db) => storeUnexpectedLive(db, fact));
  if (stored.ok) {
    const mailed = stored.value;
    return { pieceId: mailed.kind === "stored" ? mailed.sendId : null, mailed };
  }
  const pending = env().database.kind !== "none";
  const message = pending ? await spoolFact(fact, payerId, providerId) : stored.failure.message;
  return { pieceId: null, mailed: { kind: "unstored", message, pending } };
}

/** Writes a fact to the spool. Returns the sentence about it. */
async function spoolFact(fact: UnexpectedLive | { alarm: NewAlarm }, userId: string, pieceId: string) {
  if (await writeSpool(SPOOL_KIND, fact)) return STORED_LATER;
  log.error("send.unexpected_live_lost", { userId, pieceId });
  return NOWHERE_STORED;
}

/** Stores a mailed test, once per fact and per piece at the provider. */
function storeUnexpectedLive(db: PrismaClient, fact: UnexpectedLive): Promise<MailedTest> {
  const { send, payerId, viewer, baseUrl, providerId, answer } = fact;
  return db.$transaction(async (tx): Promise<MailedTest> => {
    // The second of two answers about one piece waits here and finds it stored.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${baseUrl} ${providerId}`}, 0))`;
    await ensureViewerStored(tx, viewer);
    const userId = (await userExists(tx, payerId)) ? payerId : viewer.id;
    const toStored = async (charged: number) => {
      const { balance } = await loadAccount(tx, userId);
      return { kind: "stored", sendId: send.id, userId, charged, balance } as const;
    };
    const known = await findStoredPiece(tx, providerId, baseUrl);
    if (known !== null) {
      return known.id === send.id ? toStored(known.charged) : { kind: "known", providerId };
    }
    await ensureAccount(tx, userId);
    const note = formatMailedThoughTest(send.mailType);
    const charged = await recordUnexpectedSend(tx, { ...send, userId }, providerId, answer, note);
    const facts = { provider_id: providerId, credits: charged, user: userId };
    await alarmPiece(tx, send.id, { kind: "mailed_as_test", text: note, facts, source: "send" });
    return toStored(charged);
  });
}
