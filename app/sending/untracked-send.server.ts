import { createHash, randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { maskKey } from "~/outside/mail-provider/call/mask.server";
import type { MailType } from "~/pieces/mail-type";
import { callWithPiece } from "~/pieces/send/piece-call.server";
import { env } from "~/platform/env.server";
import { toCreditOutcome } from "./credit-outcome";
import { formatAnswer, formatNoResponse, type SendAnswer } from "./format-answer.server";
import { freezeCall, hashCall, type PreparedCall } from "./prepare-call.server";
import type { SendContext } from "./send-context";
import { formatSentRequest } from "./sent-request.server";
import { formatUnanswered } from "./unanswered";

/** Sends live mail without a database: only the provider keeps a repeated key from mailing twice. */
export async function sendUntracked(
  call: PreparedCall,
  mailType: MailType,
  { viewer, payerId, idempotencyKey: givenKey, prepared }: SendContext,
): Promise<SendAnswer> {
  const { path } = call.class;
  const parts = [viewer.id, givenKey ?? randomUUID(), hashCall(prepared, payerId)];
  const idempotencyKey = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const frozen = freezeCall(call, { idempotencyKey, tag: null });
  // No one checked whether this user exists, so it may be any text.
  const userId = maskKey(payerId);
  const tried = await callWithPiece(frozen, { userId, providerPath: path });
  const sent = formatSentRequest(frozen);
  const credits = toCreditOutcome(
    { mailType, userId, cost: MAIL_PRICES[mailType] },
    { kind: "untracked" },
    null,
  );
  if (tried.answer) {
    return formatAnswer(tried.answer, { method: frozen.method, path, live: true }, sent, credits);
  }
  const { httpStatus, error, hint, pending } = formatUnanswered(
    tried.result,
    { method: frozen.method, class: call.class, live: true },
    env().providerTimeoutMs,
  );
  const at = { url: sent.url, sent, durationMs: tried.result.durationMs };
  return formatNoResponse(httpStatus, error, at, credits, { hint, ...(pending ? { pending } : {}) });
}
