import { type Account, ensureAccount, loadAccount } from "~/credits/ledger/ledger.server";
import { parseWaitSeconds } from "~/outside/mail-provider/call/rate-headers";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { type Failed, fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { findReleaseRule, isBeingSent } from "../states";
import { type ExceededLimit, findExceededLimit, hasDailyLimit } from "./daily-limit.server";
import { type Duplicate, findDuplicate } from "./duplicates.server";
import { hashCall, type MailCall } from "./mail-call.server";
import { isUnderWay } from "./piece-call.server";
import { freezeAgain, type LivePiece, type OpenOrder } from "./piece-order.server";
import { loadRequestBody } from "./request-body.server";
import { countFreed, findSendByKey, type SendRecord } from "./send-record.server";
import { freeKey, reserveSend } from "./send-transitions.server";

export const DATABASE_DOWN = `The database is not available, and live mail needs its ledger. ${NOTHING_DONE} Try again in a moment.`;
export const KEY_REUSED = `This idempotency key was used for another request. ${NOTHING_DONE} Use a new key.`;
const KEY_ERASED = `This idempotency key was used for a piece whose personal data was erased, so Mailroom cannot say if it is the same request. ${NOTHING_DONE} Use a new key for another piece.`;
export const IN_PROGRESS = `The same request is being sent right now. ${NOTHING_DONE} Ask again in a moment for its outcome.`;

/** The result of opening a piece; `open`: it may be sent. */
export type Opened =
  | { kind: "open"; piece: LivePiece }
  | { kind: "earlier"; earlier: Earlier }
  /** This process sends it, although the database has lost its row. */
  | { kind: "in_progress" }
  | { kind: "short"; account: Account }
  | { kind: "duplicate"; duplicate: Duplicate }
  | { kind: "over_limit"; exceeded: ExceededLimit }
  | { kind: "unknown_payer" };

export interface Earlier {
  record: SendRecord;
  requestBody: string;
  account: Account;
}

/** Holds the cost and stores the send, or finds the reason why that cannot be done. */
export function openPiece(piece: LivePiece, call: MailCall): Promise<Outcome<Opened>> {
  const { userId, actorId, idempotencyKey, requestHash } = piece.send;
  return withDatabase(async (db): Promise<Opened> => {
    const first = await reserveOrFind(db, piece);
    if (first.kind === "used") {
      const { record } = first;
      if (record.requestHash !== requestHash || !mayBeSentAgain(record)) {
        return { kind: "earlier", earlier: await loadEarlier(db, record) };
      }
      await freeKey(db, { id: record.id, idempotencyKey });
    } else if (first.kind !== "none") return first;
    const freed = await countFreed(db, actorId, idempotencyKey);
    if (freed > 0) {
      const again = await reserveOrFind(db, freezeAgain(piece, call, freed));
      if (again.kind === "used") return { kind: "earlier", earlier: await loadEarlier(db, again.record) };
      if (again.kind !== "none") return again;
    }
    await ensureViewerStored(db, piece.order.viewer);
    if (!(await userExists(db, userId))) return { kind: "unknown_payer" };
    await ensureAccount(db, userId);
    return { kind: "short", account: await loadAccount(db, userId) };
  });
}

type Reserved = Extract<Opened, { kind: "open" | "duplicate" | "over_limit" }>;
type Tried =
  | Reserved
  | Extract<Opened, { kind: "in_progress" }>
  | { kind: "used"; record: SendRecord }
  /** Nothing was reserved, and no send has the key. */
  | { kind: "none" };

async function reserveOrFind(db: PrismaClient, piece: LivePiece): Promise<Tried> {
  const { send, order } = piece;
  const { id, actorId, idempotencyKey, pieceHash } = send;
  // A row lost by a failover would be written again, and the provider called a second time.
  if (!isUnderWay(id)) {
    const isChecked =
      hasDailyLimit(order.viewer) || (pieceHash !== null && order.knownDuplicate !== undefined);
    const reserved = isChecked ? await db.$transaction((tx) => reserve(tx, piece)) : await reserve(db, piece);
    if (reserved) return reserved;
  }
  const record = await findSendByKey(db, actorId, idempotencyKey);
  if (record) return { kind: "used", record };
  return { kind: isUnderWay(id) ? "in_progress" : "none" };
}

/**
 * Reserves a send, unless it is a duplicate that its sender does not know, or exceeds a daily limit; null when nothing
 * was reserved.
 * @param db a transaction when either is checked, because both checks lock
 */
async function reserve(db: Db, piece: LivePiece): Promise<Reserved | null> {
  const { send, order } = piece;
  if (send.pieceHash !== null && order.knownDuplicate !== undefined) {
    const duplicate = await findDuplicate(db, send);
    if (duplicate && duplicate.id !== order.knownDuplicate) return { kind: "duplicate", duplicate };
  }
  if (hasDailyLimit(order.viewer)) {
    const exceeded = await findExceededLimit(db, order.viewer, send.cost, send.idempotencyKey);
    if (exceeded) return { kind: "over_limit", exceeded };
  }
  return (await reserveSend(db, send)) ? { kind: "open", piece } : null;
}

async function loadEarlier(db: Db, record: SendRecord): Promise<Earlier> {
  const requestBody = await loadRequestBody(db, record.id);
  return { record, requestBody, account: await loadAccount(db, record.userId) };
}

/** Finds the earlier send of an order's key; null for a new key. Fails as {@link checkEarlier} and the database do. */
export async function findRepeatedKey(order: OpenOrder): Promise<Outcome<Earlier | null>> {
  const { idempotencyKey: key, viewer, payerId } = order;
  if (key === null || env().database.kind === "none") return succeed(null);
  const found = await withDatabase(async (db) => {
    const record = await findSendByKey(db, viewer.id, key);
    return record && !mayBeSentAgain(record) ? loadEarlier(db, record) : null;
  });
  if (!found.ok) return fail("database_unavailable", DATABASE_DOWN, found.failure.details);
  const earlier = found.value;
  return (earlier && checkEarlier(earlier, hashCall(order.call, payerId))) ?? succeed(earlier);
}

/**
 * Checks an earlier send: `key_reused` for another request under the key, `in_progress` while the first one is running,
 * else null.
 */
export function checkEarlier({ record }: Earlier, requestHash: string): Failed | null {
  if (record.requestHash !== requestHash) {
    return fail("key_reused", record.requestHash === "" ? KEY_ERASED : KEY_REUSED);
  }
  return isBeingSent(record.state) && record.leased ? fail("in_progress", IN_PROGRESS) : null;
}

/**
 * True when the same request may be sent again under its key: the provider certainly did nothing, and any wait of its
 * rate limit is over, by the database's clock.
 */
function mayBeSentAgain(record: SendRecord): boolean {
  const { state, releaseCause, answerHeaders, settledAt, settledSecondsAgo } = record;
  if (state !== "refused" || !findReleaseRule(releaseCause).keyIsFree) return false;
  if (releaseCause !== "rate_limited") return true;
  if (settledAt === null || settledSecondsAgo === null) return false;
  const waitSeconds = parseWaitSeconds(JSON.parse(answerHeaders ?? "{}"), settledAt.getTime());
  return settledSecondsAgo >= waitSeconds;
}
