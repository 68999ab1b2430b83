import type { Account } from "~/credits/ledger/ledger.server";
import { maskKey } from "~/outside/mail-provider/call/mask.server";
import type { MailType } from "~/pieces/mail-type";
import { findCreditState, formatDuplicate, formatUnclearCall } from "~/pieces/messages";
import { findReleaseRule } from "~/pieces/release-causes";
import type { Duplicate } from "~/pieces/send/duplicates.server";
import type { CallResult } from "~/pieces/send/piece-call.server";
import type { Settled } from "~/pieces/send/settle.server";
import { isOpen } from "~/pieces/states";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { toCreditOutcome } from "./credit-outcome";
import { formatAnswer, formatNoResponse, type Remarks, type SendAnswer } from "./format-answer.server";
import type { LiveOutcome } from "./live-send.server";
import {
  BUY_CREDITS,
  CHECK_EARLIER_PIECE,
  FOLLOW_PAGE,
  formatNeedsDecision,
  formatNotKnownYet,
  formatShortage,
  formatTreatedAsTest,
  MAY_BE_ACCEPTED,
  NOTHING_MAILED,
  OUTCOME_NOT_STORED,
  PREPARED_WITHOUT_DATABASE,
  RETRIED_WITH_KEY,
} from "./messages";
import type { Earlier, LivePiece } from "./open-piece.server";
import type { SentRequest } from "./proxy-types";
import type { SendContext } from "./send-context";
import { formatSentRequest } from "./sent-request.server";
import { formatUnanswered } from "./unanswered";

/** Outcomes that are safe to report before they are stored. */
const REPORTABLE = ["accepted", "unknown"];

/** The answer of `POST /api/stannp` to live mail. */
export function answerLive(outcome: LiveOutcome, context: SendContext): Promise<SendAnswer> | SendAnswer {
  switch (outcome.kind) {
    case "called":
      return answerTry(outcome.piece, outcome.tried, outcome.settled);
    case "unconfirmed":
      return answerUnconfirmed(outcome.piece);
    case "short":
      return answerShortage(outcome.piece, outcome.account);
    case "duplicate":
      return answerDuplicate(outcome.piece, outcome.duplicate);
    case "earlier":
      return answerEarlier(outcome.earlier, context);
  }
}

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
  if (settled.credits.kind === "held" && !REPORTABLE.includes(tried.outcome.kind)) {
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

/** Adds to the provider's answer: a test in place of live mail, or an outcome that is not known. */
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
    duplicate_of: { send_id: duplicate.id, tested_piece_id: context.testedPieceId },
  });
}

/** The first answer again. */
function answerEarlier(
  { record, requestBody, account }: Earlier,
  context: SendContext,
): Promise<SendAnswer> | SendAnswer {
  const { id, state, method, path, url, answerStatus, answerText, answerHeaders } = record;
  const headers: Record<string, string> = JSON.parse(record.requestHeaders);
  const sent = formatSentRequest({ method, url, headers, body: requestBody });
  const credits = { ...toCreditOutcome(record, findCreditState(record), account), replayed: true as const };
  const open = isOpen(state);
  const remarks = {
    ...toResponseId(context, id),
    send_id: id,
    replayed: true as const,
    hint: RETRIED_WITH_KEY,
    ...(open
      ? {
          pending: true as const,
          error: state === "needs_review" ? formatNeedsDecision(record.mailType) : MAY_BE_ACCEPTED,
        }
      : {}),
  };
  const durationMs = record.durationMs ?? 0;
  if (answerStatus !== null && answerText !== null) {
    const answer = {
      status: answerStatus,
      text: answerText,
      headers: JSON.parse(answerHeaders ?? "{}"),
      durationMs,
    };
    return formatAnswer(answer, { method, path }, sent, credits, remarks);
  }
  const error = state === "accepted" ? null : (record.note ?? NOTHING_MAILED);
  const released = state === "refused" ? findReleaseRule(record.releaseCause).httpStatus : 200;
  return formatNoResponse(open ? 202 : released, error ?? "", { url: sent.url, sent, durationMs }, credits, {
    ...remarks,
    ...(error === null ? { error: null } : {}),
  });
}
