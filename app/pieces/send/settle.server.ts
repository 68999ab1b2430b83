import { setTimeout as wait } from "node:timers/promises";
import type { Evidence } from "~/alarms/alarm-kinds";
import { type Account, ensureAccount, loadAccount } from "~/credits/ledger/ledger.server";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { storeAfterCall, withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { errorNameOf, log } from "~/platform/log.server";
import { finishBeforeExit } from "~/platform/stopping.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { sendLeaseMs, startTime } from "../lease.server";
import { findCreditState, formatUnclearCall } from "../messages";
import { alarmPiece, type PieceEventSource, RECOVERY } from "../piece-events.server";
import type { CreditState, PieceState } from "../states";
import { type CallResult, formatRefusal } from "./piece-call.server";
import type { NewSend } from "./piece-order.server";
import { findSend, OWN_KEYS } from "./send-record.server";
import {
  acceptSend,
  beginSend,
  disproveRelease,
  postponeSend,
  recordUnexpectedSend,
  refuseSend,
  reserveSend,
} from "./send-transitions.server";

export interface Settled {
  credits: CreditState;
  /** The payer's account; null if the database is away. */
  account: Account | null;
}

/** Status when the provider had the key before the first call that we know of. */
const KNOWN_KEY = 409;
const FIRST_CHECK_SECONDS = 1;
const RETRY_MS = 1_000;
const DATABASE_WENT_BEFORE_SENDING = "the database became unavailable before it was sent.";
/** The provider may still work on a call that the end of this process cut off. */
const CUT_OFF_CHECK_SECONDS = 10;

/**
 * Stores the outcome of a piece's first call. If the database cannot take it, that happens later; until then the
 * credits stay held.
 * @param send as it was reserved; it is written again if a failover lost its row
 */
export async function settleFirstCall(send: NewSend, viewer: Viewer, called: CallResult): Promise<Settled> {
  const settle = (db: PrismaClient) => settleOnce(db, send, viewer, called);
  const settled = await storeAfterCall(settle);
  if (settled.ok) return settled.value;
  settleLater(send.id, sendLeaseMs(), settle);
  const why =
    "the database became unavailable before this was stored; it is stored once when the database is back.";
  return { credits: { kind: "held", why }, account: null };
}

/**
 * Releases the credits of a piece that was not called because its reservation was not confirmed: its row may have
 * been written before the connection broke. Nothing else sends it.
 */
export function releaseUnconfirmed({ id, reservation }: NewSend): void {
  settleLater(id, sendLeaseMs(), (db) =>
    refuseSend(db, { id, attempts: 0, reservation }, DATABASE_WENT_BEFORE_SENDING, null, "never_called"),
  );
}

async function settleOnce(
  db: PrismaClient,
  send: NewSend,
  viewer: Viewer,
  called: CallResult,
): Promise<Settled> {
  const charged = await applyFirstCall(db, send, called);
  if (charged) return { credits: { kind: "charged", charged: send.cost }, account: charged };
  const found = await findSend(db, send.id);
  // This process called the provider, so the row was begun: another database has taken over since.
  const lost = found === null || found.state === "reserved";
  if (lost) await restoreSend(db, send, viewer, called);
  const record = lost ? await findSend(db, send.id) : found;
  const credits = findCreditState(record ?? { ...send, state: "sending", charged: 0, note: null });
  return { credits, account: await loadAccount(db, record?.userId ?? send.userId) };
}

/**
 * Writes a send again whose row, or whose start, the database has lost, with its outcome and an alarm. If its cost
 * cannot be held any more, a mailed piece is charged as far as the balance allows.
 */
function restoreSend(db: PrismaClient, send: NewSend, viewer: Viewer, called: CallResult): Promise<void> {
  const { id } = send;
  const { outcome, answer } = called;
  return db.$transaction(async (tx) => {
    await ensureViewerStored(tx, viewer);
    const userId = (await userExists(tx, send.userId)) ? send.userId : viewer.id;
    await ensureAccount(tx, userId);
    const again = { ...send, userId };
    // A repeat of the request may have its key.
    const renamed = { ...again, idempotencyKey: `${OWN_KEYS.lost}${id}` };
    const isThere = (await findSend(tx, id)) !== null;
    const held = isThere || (await reserveSend(tx, again)) || (await reserveSend(tx, renamed));
    // A process that reserved it since has not called yet, and the outcome of this call must not be lost.
    const reservation = outcome.kind === "accepted" ? null : send.reservation;
    if (held && (await beginSend(tx, { id, reservation }, sendLeaseMs()))) {
      await applyFirstCall(tx, again, called);
    } else if (outcome.kind === "accepted" && answer && !isThere) {
      const note = "the database had lost its record, so nothing was reserved for it.";
      await recordUnexpectedSend(tx, renamed, outcome.providerId, answer, note);
    }
    const text = `The database lost the record of this ${send.mailType} while the provider was called (${outcome.kind.replaceAll("_", " ")}). Mailroom re-created it. Check its charge and other data from the same failover.`;
    const providerId = "providerId" in outcome ? outcome.providerId : null;
    const facts = { user: userId, credits: send.cost, provider_id: providerId };
    await alarmPiece(tx, id, { kind: "send_row_missing", text, facts, source: "send" });
  });
}

/** Stores the outcome of a first call. Returns the payer's account if it was charged now. */
async function applyFirstCall(
  db: Db,
  { id, mailType, userId, reservation }: Pick<NewSend, "id" | "mailType" | "userId" | "reservation">,
  called: CallResult,
): Promise<Account | null> {
  const { answer, outcome } = called;
  const first = { id, attempts: 1, reservation };
  const refuse = async (cause: Parameters<typeof refuseSend>[4], note: string) => {
    await refuseSend(db, first, note, answer, cause);
    return null;
  };
  switch (outcome.kind) {
    case "accepted": {
      const account = await acceptSend(db, id, outcome.providerId, answer);
      if (!account) await alarmIfReleased(db, id);
      if (answer?.status === KNOWN_KEY) {
        const text = `The provider had this ${mailType} already when it was first sent, so the database lost the record of an earlier piece with the same key. It is mailed once. Check its charge and other data from the same failover.`;
        const facts = { user: userId, provider_id: outcome.providerId };
        await alarmPiece(db, id, { kind: "send_row_missing", text, facts, source: "send", once: true });
      }
      return account;
    }
    case "sample":
      return refuse("sample", `the provider treated this ${mailType} as a test, so nothing was mailed.`);
    case "refused":
      return refuse("refused", formatRefusal(mailType, answer));
    case "rate_limited":
      return refuse("rate_limited", "the provider's rate limit was used up.");
    case "never_sent":
      return refuse("unreachable", "the provider could not be reached.");
    case "unknown": {
      const happened = formatUnclearCall(called, env().providerTimeoutMs);
      const waitSeconds = called.result?.kind === "stopped" ? CUT_OFF_CHECK_SECONDS : FIRST_CHECK_SECONDS;
      await postponeSend(db, first, waitSeconds, happened, answer);
      return null;
    }
  }
}

/**
 * Stores what this process knows of a piece as soon as the database takes it, until its lease ends; then recovery
 * takes over. This knowledge matters: a refusal must not become a second try. If the database answers with an error
 * to the end, opens an alarm.
 */
function settleLater(id: string, leaseMs: number, work: (db: PrismaClient) => Promise<unknown>): void {
  const time = startTime(leaseMs);
  const retryUntilLeaseEnds = async () => {
    let errorName: string | null = null;
    while (time.leftMs() > 0) {
      await wait(RETRY_MS, undefined, { ref: false });
      try {
        if ((await withDatabase(work)).ok) return;
      } catch (error) {
        errorName = errorNameOf(error);
      }
    }
    log.warn("send.left_to_recovery", { sendId: id, ...(errorName === null ? {} : { errorName }) });
    if (errorName === null) return;
    const alarm = {
      kind: "settling_failed",
      text: "The database answers with an error, so the outcome of this piece is not stored. Its credits stay reserved; recovery goes on trying.",
      facts: { error: errorName },
      source: "send",
    } as const;
    await withDatabase((db) => alarmPiece(db, id, alarm));
  };
  void finishBeforeExit(retryUntilLeaseEnds()).catch((error: unknown) => {
    log.error("send.settling_failed", { sendId: id, errorName: errorNameOf(error) });
  });
}

/**
 * Opens an alarm when a piece was mailed after its credits were released or refunded.
 * @param evidence `state` in which its credits were given back, and the sentence that shows that it was mailed
 */
export async function alarmIfReleased(
  db: Db,
  id: string,
  {
    state = "refused",
    text = "The provider accepted this piece after its credits were released: it is mailed and was not charged.",
    source = RECOVERY,
    facts,
  }: Partial<Pick<Evidence, "facts"> & { state: PieceState; text: string; source: PieceEventSource }> = {},
): Promise<boolean> {
  const record = await findSend(db, id);
  if (record?.state !== state) return false;
  await disproveRelease(db, id);
  const evidence = { provider_id: record.providerId, ...facts };
  await alarmPiece(db, id, { kind: "mailed_after_release", text, source, once: true, facts: evidence });
  return true;
}
