import { MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import type { Account } from "~/credits/ledger/ledger.server";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import type { MailType } from "~/pieces/mail-type";
import {
  CANCEL_AT_ONCE,
  findCreditState,
  formatDuplicate,
  formatMailedThoughTest,
  formatUnclearCall,
  MAY_BE_ACCEPTED,
  RETRIED_WITH_KEY,
} from "~/pieces/messages";
import type { Duplicate } from "~/pieces/send/duplicates.server";
import type { Earlier } from "~/pieces/send/open-piece.server";
import type { CallResult } from "~/pieces/send/piece-call.server";
import type { LivePiece, OpenOrder } from "~/pieces/send/piece-order.server";
import type { PieceSent, TestOutcome } from "~/pieces/send/send-piece.server";
import type { Settled } from "~/pieces/send/settle.server";
import type { MailedTest } from "~/pieces/send/unexpected-mail.server";
import { type CreditState, findReleaseRule, isOpen } from "~/pieces/states";
import { env } from "~/platform/env.server";
import { formatInteger } from "~/platform/format-integer";
import { NOTHING_DONE } from "~/platform/outcome";
import { storeResponseSoon } from "~/responses/save/save-in-background.server";
import type { CreditOutcome, SentRequest } from "./answer.schema.server";
import {
  type AnswerToSave,
  formatAndSave,
  formatSentRequest,
  formatUnanswered,
  formatUnansweredCall,
} from "./answer-call.server";
import { buildAnswer, formatAnswer, type Remarks, type SendAnswer } from "./format-answer.server";

const OUTCOME_NOT_STORED =
  "The provider answered, and the database could not store it. It is mailed once or not at all.";
const PREPARED_WITHOUT_DATABASE =
  "The database became unavailable while this was prepared. It is sent once or not at all.";
const FOLLOW_PAGE = "Follow it on its own page. Sending the same request again only shows this piece.";

/** Outcomes that are safe to report before they are stored. */
const REPORTABLE = ["accepted", "unknown"];

/** Formats the answer of `POST /api/stannp` to a letter or postcard, and stores its response when the order says so. */
export async function answerPiece(sent: PieceSent, saving: AnswerToSave | null): Promise<SendAnswer> {
  const { order } = sent;
  if (sent.kind === "test") return answerTest(sent.outcome, order, saving);
  const { outcome } = sent;
  switch (outcome.kind) {
    case "called":
      // Recovery stores the response of an unsettled piece.
      if (saving && outcome.tried.outcome.kind !== "unknown") storeResponseSoon(outcome.piece.send.id);
      return answerTry(outcome.piece, outcome.tried, outcome.settled);
    case "unconfirmed": {
      const { piece } = outcome;
      const url = maskKey(piece.frozen.url);
      const why = `it is not known yet whether this ${piece.send.mailType} will be sent.`;
      return answerChecking(piece, PREPARED_WITHOUT_DATABASE, { url }, why);
    }
    case "short":
      return answerShortage(outcome.piece, outcome.account);
    case "duplicate":
      return answerDuplicate(outcome.piece, outcome.duplicate);
    case "earlier":
      if (saving) storeResponseSoon(outcome.earlier.record.id);
      return answerEarlier(outcome.earlier, order);
  }
}

function answerChecking(
  piece: LivePiece,
  error: string,
  call: { url: string; request?: SentRequest; durationMs?: number },
  why: string,
): SendAnswer {
  const { send, order } = piece;
  return buildAnswer(202, {
    ...call,
    error,
    credits: toCreditOutcome(send, { kind: "held", why }, null),
    pending: true,
    send_id: send.id,
    ...toResponseId(order, send.id),
    hint: FOLLOW_PAGE,
  });
}

async function answerTry(piece: LivePiece, tried: CallResult, settled: Settled): Promise<SendAnswer> {
  const { frozen, order, send } = piece;
  const { id, mailType, path } = send;
  const request = formatSentRequest(frozen);
  const { durationMs } = tried.answer ?? tried.result;
  const call = { url: request.url, request, durationMs };
  if (settled.credits.kind === "held" && !REPORTABLE.includes(tried.outcome.kind)) {
    // Recovery may still send it if this process ends before it is stored, so the answer does not say that it was refused.
    return answerChecking(piece, OUTCOME_NOT_STORED, call, settled.credits.why);
  }
  const remarks: Remarks = {
    credits: toCreditOutcome(send, settled.credits, settled.account),
    send_id: id,
    ...toResponseId(order, id),
    ...(order.notice ? { hint: order.notice } : {}),
    ...buildRemarks(mailType, tried),
  };
  if (tried.answer) return formatAnswer(tried.answer, { method: frozen.method, path }, request, remarks);
  // The remarks have the error and the next step.
  if (tried.outcome.kind === "unknown") return buildAnswer(202, { ...call, ...remarks });
  const made = { method: frozen.method, kind: "mail" } as const;
  const { httpStatus, ...why } = formatUnanswered(tried.result, made, env().providerTimeoutMs);
  return buildAnswer(httpStatus, { ...call, ...why, ...remarks });
}

/** Remarks on a test in place of live mail, and on an outcome that is not known. */
function buildRemarks(mailType: MailType, called: CallResult): Remarks {
  if (called.outcome.kind === "sample") {
    return {
      hint: `The provider treated this ${mailType} as a test: nothing was mailed and nothing was charged.`,
    };
  }
  if (called.outcome.kind !== "unknown") return {};
  return {
    pending: true,
    error: `${formatUnclearCall(called, env().providerTimeoutMs)} ${MAY_BE_ACCEPTED}`,
    hint: FOLLOW_PAGE,
  };
}

/** Names the stored response of live mail: it has the ID of its send. */
function toResponseId({ formatSaved }: OpenOrder, id: string): Remarks {
  return formatSaved ? { response_id: id } : {};
}

function answerShortage({ send, frozen }: LivePiece, account: Account): SendAnswer {
  const { mailType, userId, cost } = send;
  const { balance, held } = account;
  const available = balance - held;
  const error = `Not enough credits: a live ${mailType} needs ${formatCredits(cost)}, ${formatInteger(available)} available.`;
  return buildAnswer(402, {
    url: maskKey(frozen.url),
    error: `${error} ${NOTHING_DONE}`,
    credits: { mailType, userId, creditsDeducted: 0, newBalance: balance, success: false, error },
    hint: "Buy credits or have some added on the User Credits tab, then send again.",
    balance,
    cost,
    shortfall: cost - available,
    buy_url: `/users?${new URLSearchParams({ view: "purchase", user_id: userId })}`,
  });
}

function answerDuplicate({ send, frozen, order }: LivePiece, duplicate: Duplicate): SendAnswer {
  return buildAnswer(409, {
    url: maskKey(frozen.url),
    error: `${formatDuplicate(send.mailType, duplicate)} ${NOTHING_DONE}`,
    hint: "Check the earlier piece first. If this one is to be mailed as well, send it anyway.",
    duplicate_of: { send_id: duplicate.id, tested_piece_id: order.testedPieceId },
  });
}

function answerEarlier({ record, requestBody, account }: Earlier, order: OpenOrder) {
  const { id, state, method, path, url, answerStatus, answerText, answerHeaders } = record;
  const headers: Record<string, string> = JSON.parse(record.requestHeaders);
  const request = formatSentRequest({ method, url, headers, body: requestBody });
  const durationMs = record.durationMs ?? 0;
  const pending = isOpen(state) || state === "cancelling";
  const problem = formatNotMailed(record, order);
  const remarks: Remarks = {
    credits: { ...toCreditOutcome(record, findCreditState(record), account), replayed: true },
    ...toResponseId(order, id),
    send_id: id,
    replayed: true,
    hint: RETRIED_WITH_KEY,
    ...(pending ? { pending } : {}),
    ...(problem === null ? {} : { error: problem }),
  };
  if (answerStatus !== null && answerText !== null) {
    const answered = { status: answerStatus, text: answerText, durationMs };
    const answer = { ...answered, headers: JSON.parse(answerHeaders ?? "{}") };
    return formatAnswer(answer, { method, path }, request, remarks);
  }
  const error = state === "refused" ? (record.note ?? "Nothing was mailed.") : null;
  const released = state === "refused" ? findReleaseRule(record.releaseCause).httpStatus : 200;
  const call = { url: request.url, request, durationMs };
  return buildAnswer(pending ? 202 : released, { ...call, error, ...remarks });
}

/** Formats why an earlier send was not mailed, or may not have been. Null for an accepted one, and for a refused one, whose note says it. */
function formatNotMailed({ state, mailType }: Earlier["record"], order: OpenOrder): string | null {
  switch (state) {
    case "accepted":
    case "refused":
      return null;
    case "cancelling":
      return `This ${mailType} is being cancelled, and the provider has not confirmed it yet. We are checking. Nothing was sent again.`;
    case "cancelled": {
      const again = order.testedPieceId === null ? "send it with a new key" : "test it again";
      return `This ${mailType} was cancelled and is not mailed. Nothing was sent; to mail it after all, ${again}.`;
    }
    case "needs_review":
      return `We cannot tell whether this ${mailType} was mailed. It will not be sent twice; please decide on the piece's page.`;
    default:
      return MAY_BE_ACCEPTED;
  }
}

async function answerTest(
  outcome: TestOutcome,
  { call, payerId, notice, viewer }: OpenOrder,
  saving: AnswerToSave | null,
): Promise<SendAnswer> {
  const { path, mailType, method } = call;
  const { frozen, answer } = outcome;
  if (answer === null) return formatUnansweredCall(outcome.result, frozen, { method, kind: "mail" });
  const { pieceId, tested, mailed } = outcome;
  const remarks: Remarks = {
    ...(notice ? { hint: notice } : {}),
    ...(tested ? { tested_piece: tested } : {}),
    ...(mailed ? describeMailed(mailed, mailType, payerId) : pieceId === null ? {} : { piece_id: pieceId }),
  };
  return formatAndSave({ call: { method, path }, frozen, answer, remarks }, saving, viewer);
}

function describeMailed(mailed: MailedTest, mailType: MailType, payerId: string): Remarks {
  if (mailed.kind === "known") {
    return {
      hint: `The provider repeats its answer about ${mailType} ${mailed.providerId}, which is stored already: this test mailed and charged nothing.`,
    };
  }
  const note = formatMailedThoughTest(mailType);
  const hint = `${note} ${CANCEL_AT_ONCE}`;
  if (mailed.kind === "unstored") {
    const error = `${note} ${mailed.message}`;
    const none = { success: false, mailType, creditsDeducted: 0, newBalance: null, userId: payerId, error };
    return { hint, credits: mailed.pending ? { ...none, pending: true } : none };
  }
  const { charged, balance, userId, sendId } = mailed;
  const cost = MAIL_PRICES[mailType];
  const error = charged < cost ? `${note} ${formatPartlyCharged(cost, charged)}` : null;
  const credits = { mailType, creditsDeducted: charged, newBalance: balance, userId, error };
  return { hint, send_id: sendId, credits: { success: error === null, ...credits } };
}

/** Builds the `credits` of an answer to live mail. @param account null when the balance is not known */
function toCreditOutcome(
  { mailType, userId, cost }: Pick<LivePiece["send"], "mailType" | "userId" | "cost">,
  payment: CreditState,
  account: { balance: number } | null,
): CreditOutcome {
  const base = { mailType, userId, creditsDeducted: 0, newBalance: account?.balance ?? null };
  switch (payment.kind) {
    case "charged": {
      const { charged } = payment;
      const error = charged < cost ? formatPartlyCharged(cost, charged) : null;
      return { ...base, success: error === null, creditsDeducted: charged, error };
    }
    case "released":
      return { ...base, success: false, error: `Nothing was charged: ${payment.why}` };
    case "held": {
      const error = `${formatCredits(cost)} ${cost === 1 ? "stays" : "stay"} reserved: ${payment.why}`;
      return { ...base, success: false, error, pending: true, held: cost };
    }
  }
}

function formatPartlyCharged(cost: number, charged: number): string {
  return `It costs ${cost}, and only ${charged} could be charged.`;
}
