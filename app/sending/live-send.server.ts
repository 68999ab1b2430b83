import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { pieceNeedsApproval } from "~/credits/approval-limit.server";
import type { Account } from "~/credits/ledger/ledger.server";
import { sendLeaseMs, startCallTime } from "~/pieces/lease.server";
import { type Duplicate, hashPiece } from "~/pieces/send/duplicates.server";
import { findSendByKey } from "~/pieces/send/find-send.server";
import { type CallResult, callWithPiece, treatKeyConflictAsUnknown } from "~/pieces/send/piece-call.server";
import { deriveSendId } from "~/pieces/send/send-id.server";
import { beginSend, type NewSend, refuseSend } from "~/pieces/send/send-transitions.server";
import { type Settled, settleFirstCall } from "~/pieces/send/settle.server";
import { settleLater } from "~/pieces/send/settle-later.server";
import { whileUnderWay } from "~/pieces/send/under-way.server";
import { isBeingSent } from "~/pieces/states";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseAddressee } from "~/recipients/addressee.server";
import { toSavedCall } from "~/responses/save/auto-save.server";
import { storeResponseSoon } from "~/responses/save/store-piece-responses.server";
import { toAddressCheckWord } from "./address-note";
import {
  DATABASE_DOWN,
  DATABASE_WENT_BEFORE_SENDING,
  formatDailyLimit,
  formatNeedsApproval,
  IN_PROGRESS,
  KEY_REUSED,
  LIVE_NEEDS_DATABASE,
  UNKNOWN_PAYER,
} from "./messages";
import {
  type Earlier,
  type LivePiece,
  loadEarlier,
  mayBeSentAgain,
  openPiece,
  stampPiece,
} from "./open-piece.server";
import { hashCall, type PreparedCall } from "./prepare-call.server";
import type { SendContext } from "./send-context";

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
export async function sendLive(call: PreparedCall, context: SendContext): Promise<Outcome<LiveOutcome>> {
  if (call.class.kind !== "mail") throw new TypeError("Only letters and postcards are live mail.");
  const { mailType, path } = call.class;
  const cost = MAIL_PRICES[mailType];
  // The rows of a list were approved with it.
  if (context.creditReservationId === null && pieceNeedsApproval(cost)) {
    return fail("needs_approval", formatNeedsApproval({ mailType, cost }));
  }
  if (env().database.kind === "none") return fail("not_configured", LIVE_NEEDS_DATABASE);
  const key = context.idempotencyKey ?? randomUUID();
  const stamped = stampPiece(call, deriveSendId(context.viewer.id, key, 0));
  const about = { ...stamped, mailType, path, userId: context.payerId, cost, context };
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
      return checkEarlier(opened.value, context, requestHash);
    case "in_progress":
      return fail("in_progress", IN_PROGRESS);
    case "open": {
      const { piece } = opened.value;
      return whileUnderWay(piece.id, () => callAndSettle(piece));
    }
  }
}

/** The outcome of a key that was used before; null for a new key. Fails as {@link sendLive} does. */
export async function findRepeatedKey(
  call: PreparedCall,
  context: SendContext,
): Promise<Outcome<LiveOutcome> | null> {
  const { idempotencyKey: key, viewer, payerId } = context;
  if (key === null || env().database.kind === "none") return null;
  const found = await withDatabase(async (db) => {
    const record = await findSendByKey(db, viewer.id, key);
    return record && !mayBeSentAgain(record) ? loadEarlier(db, record) : null;
  });
  if (!found.ok) return fail("database_unavailable", DATABASE_DOWN, found.failure.details);
  return found.value && checkEarlier(found.value, context, hashCall(call, payerId));
}

/** Fails with `key_reused` for another request under the key, and with `in_progress` while the first one is running. */
function checkEarlier(earlier: Earlier, { saving }: SendContext, requestHash: string): Outcome<LiveOutcome> {
  const { id, state, leased, requestHash: first } = earlier.record;
  if (saving) storeResponseSoon(id);
  if (first !== requestHash) return fail("key_reused", KEY_REUSED);
  if (isBeingSent(state) && leased) return fail("in_progress", IN_PROGRESS);
  return succeed({ kind: "earlier", earlier });
}

/** The row of a piece, with all that is frozen before the first call. */
async function buildSend(
  { id, mailType, path, userId, cost, frozen, context }: Omit<LivePiece, "send">,
  idempotencyKey: string,
  call: PreparedCall,
): Promise<NewSend> {
  const { prepared, viewer, saving } = context;
  const savedCall = saving && (await toSavedCall(saving));
  return {
    id,
    userId,
    actorId: viewer.id,
    via: viewer.token?.name ?? null,
    idempotencyKey,
    reservation: randomUUID(),
    // Hashes the request before merge fields are filled, so that a retry matches.
    requestHash: hashCall(prepared, userId),
    mailType,
    cost,
    method: frozen.method,
    path,
    url: frozen.url,
    requestHeaders: JSON.stringify(frozen.headers),
    requestBody: frozen.body ?? "",
    testedPieceId: context.testedPieceId,
    // Taken from what was asked for: the PDF of a letter's text adds nothing.
    pieceHash: hashPiece(mailType, prepared.body, prepared.baseUrl),
    leaseMs: sendLeaseMs(),
    addressee: parseAddressee(call.body),
    addressCheck: toAddressCheckWord(context.addressCheck),
    unsavedRequest: savedCall && JSON.stringify(savedCall),
    creditReservationId: context.creditReservationId,
  };
}

async function callAndSettle(piece: LivePiece): Promise<Outcome<LiveOutcome>> {
  const { id, userId, path, frozen, send, context } = piece;
  const time = startCallTime();
  const begun = await withDatabase((db) => beginSend(db, send, sendLeaseMs()));
  // After a late answer the lease may be over, and another process would call too.
  if (!begun.ok || (begun.value && time.leftMs() <= 0)) return succeed({ kind: "unconfirmed", piece });
  if (!begun.value) return fail("database_unavailable", DATABASE_DOWN);
  const called = await callWithPiece(frozen, { userId, providerPath: path, sendId: id }, { time });
  const tried = treatKeyConflictAsUnknown(called);
  const settled = await settleFirstCall(send, context.viewer, tried);
  // An unsettled piece has no response yet; recovery stores it.
  if (context.saving && tried.outcome.kind !== "unknown") storeResponseSoon(id);
  return succeed({ kind: "called", piece, tried, settled });
}
