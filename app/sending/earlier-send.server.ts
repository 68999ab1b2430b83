import type { Account } from "~/credits/ledger/ledger.server";
import { findCreditState } from "~/pieces/messages";
import type { SendRecord } from "~/pieces/send/find-send.server";
import { isBeingSent, isOpen } from "~/pieces/states";
import { NOTHING_DONE } from "~/platform/http/messages";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import {
  describeAnswer,
  describeSent,
  describeSilence,
  type Remarks,
  type SendAnswer,
} from "./answer.server";
import { describeCredits } from "./credit-outcome";
import { MAY_BE_ACCEPTED } from "./messages";

/**
 * What a key that was used before is answered: the first answer again. Fails with `key_reused` for another
 * request under the same key, and with `in_progress` while the first one is still running (money.md §2).
 */
export function describeEarlierSend(
  record: SendRecord,
  account: Account,
  requestHash: string,
  more: Remarks,
): Outcome<SendAnswer> {
  if (record.requestHash !== requestHash) {
    return fail(
      "key_reused",
      `This idempotency key was used for another request. ${NOTHING_DONE} Send it with a key of its own.`,
    );
  }
  if (isBeingSent(record.state) && record.leased) {
    return fail(
      "in_progress",
      `The same request is being sent right now. ${NOTHING_DONE} Ask again in a moment for its outcome.`,
    );
  }
  return succeed(describeRecord(record, account, more));
}

function describeRecord(record: SendRecord, account: Account, more: Remarks): SendAnswer {
  const { id, state, method, path, url, answerStatus, answerText } = record;
  const headers: Record<string, string> = JSON.parse(record.requestHeaders);
  const sent = describeSent({ method, url, headers, body: record.requestBody });
  const credits = { ...describeCredits(record, findCreditState(record), account), replayed: true as const };
  const open = isOpen(state);
  const remarks = {
    ...more,
    send_id: id,
    replayed: true as const,
    hint: "This request was sent before with the same key; nothing was done a second time.",
    ...(open ? { pending: true as const, error: explainOpen(record) } : {}),
  };
  const durationMs = record.durationMs ?? 0;
  if (answerStatus !== null && answerText !== null) {
    const answer = { status: answerStatus, text: answerText, headers: readHeaders(record), durationMs };
    return describeAnswer(answer, { method, path, live: true }, sent, credits, remarks);
  }
  const error = state === "accepted" ? null : (record.note ?? "Nothing was mailed.");
  return describeSilence(open ? 202 : 200, error ?? "", { url: sent.url, sent, durationMs }, credits, {
    ...remarks,
    ...(error === null ? { error: null } : {}),
  });
}

function explainOpen(record: SendRecord): string {
  if (record.state === "needs_review") {
    return `It cannot be told whether this ${record.mailType} was mailed. It will not be sent twice; a person has to decide on the send's page.`;
  }
  return MAY_BE_ACCEPTED;
}

function readHeaders({ answerHeaders }: SendRecord): Record<string, string> {
  return answerHeaders === null ? {} : JSON.parse(answerHeaders);
}
