import { createHash, randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { maskKey } from "~/outside/mail-provider/mask.server";
import type { Viewer } from "~/people/viewer.server";
import { callWithPiece } from "~/pieces/send/piece-call.server";
import { env } from "~/platform/env.server";
import { describeAnswer, describeSent, describeSilence, type SendAnswer } from "./answer.server";
import { describeCredits } from "./credit-outcome";
import { freezeCall, hashCall, type PreparedCall } from "./prepare.server";
import type { MailOrder } from "./send-context";
import { describeUnanswered } from "./unanswered";

/** The console without storage: the provider alone keeps a repeated key from mailing twice. */
export async function sendUntracked(
  call: PreparedCall,
  order: MailOrder,
  viewer: Viewer,
): Promise<SendAnswer> {
  const parts = [viewer.id, order.idempotencyKey ?? randomUUID(), hashCall(call, order.payerId)];
  const idempotencyKey = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const frozen = freezeCall(call, { idempotencyKey, tag: null });
  // Nobody has looked whether this user exists: the name is any text.
  const userId = maskKey(order.payerId);
  const tried = await callWithPiece(frozen, { userId, providerPath: order.path });
  const sent = describeSent(frozen);
  const piece = { mailType: order.mailType, userId, cost: MAIL_PRICES[order.mailType] };
  const credits = describeCredits(piece, { kind: "untracked" }, null);
  const asked = { method: frozen.method, path: order.path, live: true };
  if (tried.answer) return describeAnswer(tried.answer, asked, sent, credits);
  const { httpStatus, error, hint, pending } = describeUnanswered(
    tried.result,
    { method: frozen.method, class: call.class, live: true },
    env().providerTimeoutMs,
  );
  const at = { url: sent.url, sent, durationMs: tried.result.durationMs };
  return describeSilence(httpStatus, error, at, credits, { hint, ...(pending ? { pending } : {}) });
}
