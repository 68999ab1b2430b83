import type { Account } from "~/credits/ledger/ledger.server";
import { parseWaitSeconds } from "~/outside/mail-provider/call/rate-limit";
import { findCreditState } from "~/pieces/messages";
import { findReleaseRule } from "~/pieces/release-causes";
import type { SendRecord } from "~/pieces/send/find-send.server";
import { isBeingSent, isOpen } from "~/pieces/states";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { toCreditOutcome } from "./credit-outcome";
import { formatAnswer, formatNoResponse, type Remarks, type SendAnswer } from "./format-answer.server";
import {
  formatNeedsDecision,
  IN_PROGRESS,
  KEY_REUSED,
  MAY_BE_ACCEPTED,
  NOTHING_MAILED,
  RETRIED_WITH_KEY,
} from "./messages";
import { formatSentRequest } from "./sent-request.server";

/**
 * True when the same request may be sent again under its key: the provider certainly did nothing, and after a used-up rate
 * limit the wait that the provider asked for is over, by the database's clock.
 */
export function mayBeSentAgain(record: SendRecord): boolean {
  const { state, releaseCause, answerHeaders, settledAt, settledSecondsAgo } = record;
  if (state !== "refused" || !findReleaseRule(releaseCause).keyIsFree) return false;
  if (releaseCause !== "rate_limited") return true;
  if (settledAt === null || settledSecondsAgo === null) return false;
  const waitSeconds = parseWaitSeconds(JSON.parse(answerHeaders ?? "{}"), settledAt.getTime());
  return settledSecondsAgo >= waitSeconds;
}

/**
 * Answers a repeated idempotency key with the first answer. Fails with `key_reused` for another request under the same
 * key, and with `in_progress` while the first one is running.
 */
export async function answerEarlierSend(
  record: SendRecord,
  requestBody: string,
  account: Account,
  requestHash: string,
  more: Remarks,
): Promise<Outcome<SendAnswer>> {
  if (record.requestHash !== requestHash) {
    return fail("key_reused", KEY_REUSED);
  }
  if (isBeingSent(record.state) && record.leased) {
    return fail("in_progress", IN_PROGRESS);
  }
  return succeed(await answerRecord(record, requestBody, account, more));
}

async function answerRecord(
  record: SendRecord,
  requestBody: string,
  account: Account,
  more: Remarks,
): Promise<SendAnswer> {
  const { id, state, method, path, url, answerStatus, answerText } = record;
  const headers: Record<string, string> = JSON.parse(record.requestHeaders);
  const sent = formatSentRequest({ method, url, headers, body: requestBody });
  const credits = { ...toCreditOutcome(record, findCreditState(record), account), replayed: true as const };
  const open = isOpen(state);
  const remarks = {
    ...more,
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
    const answer = { status: answerStatus, text: answerText, headers: parseHeaders(record), durationMs };
    return formatAnswer(answer, { method, path }, sent, credits, remarks);
  }
  const error = state === "accepted" ? null : (record.note ?? NOTHING_MAILED);
  const released = state === "refused" ? findReleaseRule(record.releaseCause).httpStatus : 200;
  return formatNoResponse(open ? 202 : released, error ?? "", { url: sent.url, sent, durationMs }, credits, {
    ...remarks,
    ...(error === null ? { error: null } : {}),
  });
}

function parseHeaders({ answerHeaders }: SendRecord): Record<string, string> {
  return answerHeaders === null ? {} : JSON.parse(answerHeaders);
}
