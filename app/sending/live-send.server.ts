import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { pieceNeedsApproval } from "~/credits/approval-limit.server";
import type { Account } from "~/credits/ledger/ledger.server";
import { maskKey } from "~/outside/mail-provider/call/mask.server";
import { sendLeaseMs, startCallTime } from "~/pieces/lease.server";
import type { MailType } from "~/pieces/mail-type";
import { formatDuplicate, formatUnclearCall } from "~/pieces/messages";
import { type Duplicate, hashPiece } from "~/pieces/send/duplicates.server";
import { findSendByKey } from "~/pieces/send/find-send.server";
import { type CallResult, callWithPiece, doubtKnownKey } from "~/pieces/send/piece-call.server";
import { deriveSendId } from "~/pieces/send/send-id.server";
import { beginSend, type NewSend, refuseSend } from "~/pieces/send/send-transitions.server";
import { type Settled, settleFirstCall } from "~/pieces/send/settle.server";
import { settleLater } from "~/pieces/send/settle-later.server";
import { storeResponseSoon } from "~/pieces/send/store-responses.server";
import { whileUnderWay } from "~/pieces/send/under-way.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseAddressee } from "~/recipients/addressee.server";
import { toSavedCall } from "~/responses/save/auto-save.server";
import { toAddressCheckWord } from "./address-note";
import { toCreditOutcome } from "./credit-outcome";
import { answerEarlierSend, mayBeSentAgain } from "./earlier-send.server";
import { formatAnswer, formatNoResponse, type Remarks, type SendAnswer } from "./format-answer.server";
import {
  BUY_CREDITS,
  CHECK_EARLIER_PIECE,
  DATABASE_DOWN,
  DATABASE_WENT_BEFORE_SENDING,
  FOLLOW_PAGE,
  formatDailyLimit,
  formatNeedsApproval,
  formatNotKnownYet,
  formatShortage,
  formatTreatedAsTest,
  IN_PROGRESS,
  LIVE_NEEDS_DATABASE,
  MAY_BE_ACCEPTED,
  OUTCOME_NOT_STORED,
  PREPARED_WITHOUT_DATABASE,
  UNKNOWN_PAYER,
} from "./messages";
import { type Earlier, type LivePiece, loadEarlier, openPiece, stampPiece } from "./open-piece.server";
import { hashCall, type PreparedCall } from "./prepare-call.server";
import type { SentRequest } from "./proxy-types";
import type { SendContext } from "./send-context";
import { formatSentRequest } from "./sent-request.server";
import { formatUnanswered } from "./unanswered";

/** Outcomes that stay true while they are not stored. */
const MAY_BE_TOLD = ["accepted", "unknown"];

/**
 * Sends live mail: holds the cost, calls the provider, then settles. Fails before anything is sent with `not_found`
 * (payer), `limit_reached`, `needs_approval`, `key_reused`, `in_progress`, `database_unavailable`, or `not_configured` without a
 * database, which could neither charge it nor find it again.
 */
export async function sendLive(call: PreparedCall, context: SendContext): Promise<Outcome<SendAnswer>> {
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
      return succeed(answerShortage(piece, opened.value.account));
    case "duplicate":
      return succeed(answerDuplicate(piece, opened.value.duplicate));
    case "earlier": {
      return answerEarlier(opened.value, context, requestHash);
    }
    case "in_progress":
      return fail("in_progress", IN_PROGRESS);
    case "open": {
      const { piece } = opened.value;
      return whileUnderWay(piece.id, () => callAndSettle(piece));
    }
  }
}

/** The answer to a key that was used before; null for a new key. Fails as {@link sendLive} does. */
export async function answerRepeatedKey(
  call: PreparedCall,
  context: SendContext,
): Promise<Outcome<SendAnswer> | null> {
  const { idempotencyKey: key, viewer, payerId } = context;
  if (key === null || env().database.kind === "none") return null;
  const found = await withDatabase(async (db) => {
    const record = await findSendByKey(db, viewer.id, key);
    return record && !mayBeSentAgain(record) ? loadEarlier(db, record) : null;
  });
  if (!found.ok) return fail("database_unavailable", DATABASE_DOWN, found.failure.details);
  return found.value && answerEarlier(found.value, context, hashCall(call, payerId));
}

async function answerEarlier(
  { record, requestBody, account }: Earlier,
  context: SendContext,
  requestHash: string,
): Promise<Outcome<SendAnswer>> {
  if (context.saving) storeResponseSoon(record.id);
  return answerEarlierSend(record, requestBody, account, requestHash, toResponseId(context, record.id));
}

/** The row of a piece, with all that is frozen before the first call. */
async function buildSend(
  { id, mailType, path, userId, cost, frozen, context }: Omit<LivePiece, "send">,
  idempotencyKey: string,
  call: PreparedCall,
): Promise<NewSend> {
  const { input, prepared, viewer, saving } = context;
  const savedCall = saving && (await toSavedCall(saving));
  return {
    id,
    userId,
    actorId: viewer.id,
    via: viewer.token?.name ?? null,
    idempotencyKey,
    reservation: randomUUID(),
    // Of what was asked for: the same request again must not depend on what its text was filled with.
    requestHash: hashCall(prepared, userId),
    mailType,
    cost,
    method: frozen.method,
    path,
    url: frozen.url,
    requestHeaders: JSON.stringify(frozen.headers),
    requestBody: frozen.body ?? "",
    testedPieceId: input.testedPieceId,
    // Taken from what was asked for: the PDF of a letter's text adds nothing.
    pieceHash: hashPiece(mailType, prepared.body, prepared.baseUrl),
    leaseMs: sendLeaseMs(),
    addressee: parseAddressee(call.body),
    addressCheck: toAddressCheckWord(input.addressCheck),
    unsavedRequest: savedCall && JSON.stringify(savedCall),
    creditReservationId: context.creditReservationId,
  };
}

async function callAndSettle(piece: LivePiece): Promise<Outcome<SendAnswer>> {
  const { id, userId, path, frozen, send, context } = piece;
  const time = startCallTime();
  const begun = await withDatabase((db) => beginSend(db, send, sendLeaseMs()));
  // After a late answer the lease may be over, and another process would call too.
  if (!begun.ok || (begun.value && time.leftMs() <= 0)) return succeed(answerUnconfirmed(piece));
  if (!begun.value) return fail("database_unavailable", DATABASE_DOWN);
  const called = await callWithPiece(frozen, { userId, providerPath: path, sendId: id }, { time });
  const tried = doubtKnownKey(called);
  const settled = await settleFirstCall(send, context.viewer, tried);
  // What is not settled has no response yet; recovery stores it.
  if (context.saving && tried.outcome.kind !== "unknown") storeResponseSoon(id);
  return succeed(await answerTry(piece, tried, settled));
}

/** The database did not confirm the start, so this process does not call. Recovery finds out and finishes it. */
function answerUnconfirmed(piece: LivePiece): SendAnswer {
  const at = { url: maskKey(piece.frozen.url), sent: null, durationMs: 0 };
  return answerChecking(piece, PREPARED_WITHOUT_DATABASE, at, formatNotKnownYet(piece.mailType));
}

function answerChecking(
  piece: LivePiece,
  error: string,
  at: { url: string; sent: SentRequest | null; durationMs: number },
  why: string,
): SendAnswer {
  const { id, context } = piece;
  return formatNoResponse(202, error, at, toCreditOutcome(piece, { kind: "held", why }, null), {
    pending: true,
    send_id: id,
    ...toResponseId(context, id),
    hint: FOLLOW_PAGE,
  });
}

async function answerTry(piece: LivePiece, tried: CallResult, settled: Settled): Promise<SendAnswer> {
  const { id, mailType, path, frozen, context } = piece;
  const sent = formatSentRequest(frozen);
  if (settled.credits.kind === "held" && !MAY_BE_TOLD.includes(tried.outcome.kind)) {
    // Recovery may send it after all if this process ends before it is stored, so the answer does not say that it was refused.
    const { durationMs } = tried.answer ?? tried.result;
    return answerChecking(
      piece,
      OUTCOME_NOT_STORED,
      { url: sent.url, sent, durationMs },
      settled.credits.why,
    );
  }
  const credits = toCreditOutcome(piece, settled.credits, settled.account);
  const notice = context.notice ? { hint: context.notice } : {};
  const remarks = { send_id: id, ...toResponseId(context, id), ...notice, ...buildRemarks(mailType, tried) };
  if (tried.answer) {
    return formatAnswer(tried.answer, { method: frozen.method, path }, sent, credits, remarks);
  }
  const at = { url: sent.url, sent, durationMs: tried.result.durationMs };
  // Its remarks have the error and the next step.
  if (tried.outcome.kind === "unknown") return formatNoResponse(202, "", at, credits, remarks);
  const call = { method: frozen.method, class: { kind: "mail", mailType, path, test: false } } as const;
  const { error, hint, httpStatus } = formatUnanswered(tried.result, call, env().providerTimeoutMs);
  return formatNoResponse(httpStatus, error, at, credits, { hint, ...remarks });
}

/** What the answer says about the outcome besides the provider's own answer. */
function buildRemarks(mailType: MailType, called: CallResult): Remarks {
  if (called.outcome.kind === "sample") return { hint: formatTreatedAsTest(mailType) };
  if (called.outcome.kind !== "unknown") return {};
  return {
    pending: true,
    error: `${formatUnclearCall(called, env().providerTimeoutMs)} ${MAY_BE_ACCEPTED}`,
    hint: FOLLOW_PAGE,
  };
}

/** The stored response of live mail has the id of its send. */
function toResponseId({ saving }: SendContext, id: string): Remarks {
  return saving ? { response_id: id } : {};
}

function answerShortage(piece: LivePiece, account: Account): SendAnswer {
  const { userId, cost, frozen } = piece;
  const available = account.balance - account.held;
  const credits = toCreditOutcome(piece, { kind: "short", available }, account);
  const error = `${formatShortage(piece, available)} ${NOTHING_DONE}`;
  return formatNoResponse(402, error, { url: frozen.url, sent: null, durationMs: 0 }, credits, {
    hint: BUY_CREDITS,
    balance: account.balance,
    cost,
    shortfall: cost - available,
    buy_url: `/users?${new URLSearchParams({ view: "purchase", user_id: userId })}`,
  });
}

function answerDuplicate({ mailType, frozen, context }: LivePiece, duplicate: Duplicate): SendAnswer {
  const error = `${formatDuplicate(mailType, duplicate)} ${NOTHING_DONE}`;
  return formatNoResponse(409, error, { url: frozen.url, sent: null, durationMs: 0 }, null, {
    hint: CHECK_EARLIER_PIECE,
    duplicate_of: { send_id: duplicate.id, tested_piece_id: context.input.testedPieceId },
  });
}
