import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { pieceNeedsApproval } from "~/credits/approval-limit.server";
import { formatCredits } from "~/credits/format-credits";
import type { Account } from "~/credits/ledger/ledger.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseAddressee } from "~/recipients/addressee.server";
import { toAddressCheckWord } from "../address-note";
import { sendLeaseMs, startCallTime } from "../lease.server";
import type { MailType } from "../mail-type";
import { isBeingSent } from "../states";
import { type Duplicate, hashPiece } from "./duplicates.server";
import { findSendByKey } from "./find-send.server";
import { hashCall, type MailCall } from "./mail-call.server";
import {
  type Earlier,
  type LivePiece,
  loadEarlier,
  mayBeSentAgain,
  openPiece,
  stampPiece,
} from "./open-piece.server";
import { type CallResult, callWithPiece, treatKeyConflictAsUnknown } from "./piece-call.server";
import type { OpenOrder } from "./piece-order";
import { deriveSendId } from "./send-id.server";
import { beginSend, type NewSend, refuseSend } from "./send-transitions.server";
import { type Settled, settleFirstCall } from "./settle.server";
import { settleLater } from "./settle-later.server";
import { whileUnderWay } from "./under-way.server";

const UNKNOWN_PAYER = `The user who should pay does not exist. ${NOTHING_DONE}`;
/** Why a send was released. */
const DATABASE_WENT_BEFORE_SENDING = "the database went away before it was sent.";
export const DATABASE_DOWN = `The database is not available, and live mail needs its ledger. ${NOTHING_DONE} Try again in a moment.`;
export const KEY_REUSED = `This idempotency key was used for another request. ${NOTHING_DONE} Use a new key.`;
const IN_PROGRESS = `The same request is being sent right now. ${NOTHING_DONE} Ask again in a moment for its outcome.`;
const LIVE_NEEDS_DATABASE = `Live mail needs a database, and none is configured. ${NOTHING_DONE}`;

/** The outcome of live mail, unless it was refused before its credits were looked at. */
export type LiveOutcome =
  /** The provider was called. What `settled` says is stored, or will be. */
  | { kind: "called"; piece: LivePiece; tried: CallResult; settled: Settled }
  /** The database did not confirm the start, so this process did not call. Recovery finds out and finishes it. */
  | { kind: "unconfirmed"; piece: LivePiece }
  /** The payer has too few credits. */
  | { kind: "short"; piece: LivePiece; account: Account }
  | { kind: "duplicate"; piece: LivePiece; duplicate: Duplicate }
  /** The key was used before, for the same request. */
  | { kind: "earlier"; earlier: Earlier };

/**
 * Sends live mail: holds the cost, calls the provider, then settles. Fails before anything is sent with `not_found`
 * (payer), `limit_reached`, `needs_approval`, `key_reused`, `in_progress`, `database_unavailable`, or `not_configured` without a
 * database, which could neither charge it nor find it again.
 */
export async function sendLive(call: MailCall, order: OpenOrder): Promise<Outcome<LiveOutcome>> {
  const { mailType, path } = call;
  const cost = MAIL_PRICES[mailType];
  // The rows of a list were approved with it.
  if (order.creditReservationId === null && pieceNeedsApproval(cost)) {
    return fail("needs_approval", formatNeedsApproval({ mailType, cost }));
  }
  if (env().database.kind === "none") return fail("not_configured", LIVE_NEEDS_DATABASE);
  const key = order.idempotencyKey ?? randomUUID();
  const stamped = stampPiece(call, deriveSendId(order.viewer.id, key, 0));
  const about = { ...stamped, mailType, path, userId: order.payerId, cost, order };
  const piece = { ...about, send: await buildSend(about, key, call) };
  const { requestHash, reservation } = piece.send;
  const opened = await openPiece(piece, call);
  if (!opened.ok) {
    // The row may have been written before the connection broke. It is never sent, and its hold is released early.
    const { id } = piece;
    settleLater(id, sendLeaseMs(), (db) =>
      refuseSend(db, { id, attempts: 0, reservation }, DATABASE_WENT_BEFORE_SENDING, null, "never_called"),
    );
    return fail("database_unavailable", DATABASE_DOWN, opened.failure.details);
  }
  switch (opened.value.kind) {
    case "over_limit":
      return fail("limit_reached", formatDailyLimit(piece, opened.value.exceeded));
    case "unknown_payer":
      return fail("not_found", UNKNOWN_PAYER);
    case "short":
    case "duplicate":
      return succeed({ ...opened.value, piece });
    case "earlier":
      return checkEarlier(opened.value, requestHash);
    case "in_progress":
      return fail("in_progress", IN_PROGRESS);
    case "open": {
      const { piece } = opened.value;
      return whileUnderWay(piece.id, () => callAndSettle(piece));
    }
  }
}

/** The outcome of a key that was used before; null for a new key. Fails as {@link sendLive} does. */
export async function findRepeatedKey(order: OpenOrder): Promise<Outcome<LiveOutcome> | null> {
  const { idempotencyKey: key, viewer, payerId } = order;
  if (key === null || env().database.kind === "none") return null;
  const found = await withDatabase(async (db) => {
    const record = await findSendByKey(db, viewer.id, key);
    return record && !mayBeSentAgain(record) ? loadEarlier(db, record) : null;
  });
  if (!found.ok) return fail("database_unavailable", DATABASE_DOWN, found.failure.details);
  return found.value && checkEarlier(found.value, hashCall(order.call, payerId));
}

/** Fails with `key_reused` for another request under the key, and with `in_progress` while the first one is running. */
function checkEarlier(earlier: Earlier, requestHash: string): Outcome<LiveOutcome> {
  const { state, leased, requestHash: first } = earlier.record;
  if (first !== requestHash) return fail("key_reused", KEY_REUSED);
  if (isBeingSent(state) && leased) return fail("in_progress", IN_PROGRESS);
  return succeed({ kind: "earlier", earlier });
}

/** The row of a piece, with all that is frozen before the first call. */
async function buildSend(
  { id, mailType, path, userId, cost, frozen, order }: Omit<LivePiece, "send">,
  idempotencyKey: string,
  call: MailCall,
): Promise<NewSend> {
  const { viewer } = order;
  return {
    id,
    userId,
    actorId: viewer.id,
    via: viewer.token?.name ?? null,
    idempotencyKey,
    reservation: randomUUID(),
    // Hashes the request before merge fields are filled, so that a retry matches.
    requestHash: hashCall(order.call, userId),
    mailType,
    cost,
    method: frozen.method,
    path,
    url: frozen.url,
    requestHeaders: JSON.stringify(frozen.headers),
    requestBody: frozen.body ?? "",
    testedPieceId: order.testedPieceId,
    // Taken from what was asked for: the PDF of a letter's text adds nothing.
    pieceHash: hashPiece(mailType, order.call.body, order.call.baseUrl),
    leaseMs: sendLeaseMs(),
    addressee: parseAddressee(call.body),
    addressCheck: toAddressCheckWord(order.addressCheck),
    unsavedRequest: order.formatSaved && (await order.formatSaved()),
    creditReservationId: order.creditReservationId,
  };
}

async function callAndSettle(piece: LivePiece): Promise<Outcome<LiveOutcome>> {
  const { id, userId, path, frozen, send, order } = piece;
  const time = startCallTime();
  const begun = await withDatabase((db) => beginSend(db, send, sendLeaseMs()));
  // After a late answer the lease may be over, and another process would call too.
  if (!begun.ok || (begun.value && time.leftMs() <= 0)) return succeed({ kind: "unconfirmed", piece });
  if (!begun.value) return fail("database_unavailable", DATABASE_DOWN);
  const called = await callWithPiece(frozen, { userId, providerPath: path, sendId: id }, { time });
  const tried = treatKeyConflictAsUnknown(called);
  const settled = await settleFirstCall(send, order.viewer, tried);
  return succeed({ kind: "called", piece, tried, settled });
}

/** In credits. */
function formatNeedsApproval({ mailType, cost }: { mailType: MailType; cost: number }): string {
  return `A ${mailType} costs ${formatCredits(cost)}, more than one person may send alone. ${NOTHING_DONE} In the API Builder press Send to a list: the recipient goes along, and another person can approve it.`;
}

/** @param token the name of the token whose limit it is; null: the person's own */
function formatDailyLimit(
  piece: { mailType: MailType; cost: number },
  { limit, spent, token }: { limit: number; spent: number; token: string | null },
): string {
  const who = token === null ? "You may spend" : `The token ${token} may spend`;
  const day = `${who} ${formatCredits(limit)} a day and ${token === null ? "have" : "it has"} spent ${spent}`;
  return `${day}. A ${piece.mailType} costs ${piece.cost}. ${NOTHING_DONE} The next day begins at 00:00 UTC.`;
}
