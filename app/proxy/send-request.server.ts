import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import type { Viewer } from "~/people/viewer.server";
import { NO_SERVER_KEY } from "~/pieces/messages";
import type { PieceOrder } from "~/pieces/send/piece-order";
import { type PieceSent, sendPiece } from "~/pieces/send/send-piece.server";
import { ONLY_LIVE_FROM_TESTED } from "~/pieces/tested/check-tested.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { toSavedCall } from "~/responses/save/auto-save.server";
import { checkScope } from "~/tokens/check-token.server";
import { answerPiece } from "./answer-piece.server";
import type { SendAnswer } from "./format-answer.server";
import { findCallScope } from "./live-mail-rule";
import { sendPlain } from "./plain-send.server";
import { prepareCall, toMailCall } from "./prepare-call.server";
import { cancelOwnPiece } from "./proxy-cancel.server";
import { type AnswerToSave, planSaving } from "./save-answer.server";
import type { SendInput } from "./send-request.schema.server";

/**
 * Sends a caller's request to the provider with the server's key: mail as a piece, a cancel of our own piece with its
 * refund, any other unchanged. Fails before anything is sent with `bad_input`, `forbidden`, `missing_scope`,
 * `not_configured` or `overloaded`; mail also as {@link sendPiece} does, cancels as `cancelOwnPiece`.
 * @param signal the caller's disconnect, which ends every call except live mail
 */
export async function sendRequest(
  input: SendInput,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<SendAnswer>> {
  const prepared = prepareCall(input);
  if (!prepared.ok) return prepared;
  const call = prepared.value;
  const payerId = input.userId ?? viewer.id;
  const saving = planSaving(input, call, payerId);
  const mail = toMailCall(call);
  if (mail !== null) {
    const { idempotencyKey, testedPieceId, knownDuplicate, addressCheck } = input;
    const order = { call: mail, payerId, idempotencyKey, testedPieceId, knownDuplicate, addressCheck };
    const sent = await sendAndAnswer(order, saving, viewer, signal);
    return sent.ok ? succeed(sent.value.answer) : sent;
  }
  const allowed = checkScope(viewer, findCallScope(call.class, call.method));
  if (!allowed.ok) return allowed;
  if (env().providerKey === null) return fail("not_configured", NO_SERVER_KEY);
  if (input.testedPieceId !== null) return fail("bad_input", ONLY_LIVE_FROM_TESTED);
  const pass = (passed: typeof call) =>
    inProviderTurn(async () => succeed(await sendPlain(passed, viewer, payerId, saving, signal)), signal);
  if (call.class.kind !== "cancel") return pass(call);
  const cancel = await cancelOwnPiece(call, viewer);
  if (!cancel.ok) return cancel;
  return cancel.value.kind === "ours" ? succeed(cancel.value.answer) : pass(cancel.value.call);
}

/** Sends a letter or postcard, formats the answer of `POST /api/stannp`, and stores its response as planned. */
export async function sendAndAnswer(
  order: Omit<PieceOrder, "creditReservationId" | "formatSaved">,
  saving: AnswerToSave | null,
  viewer: Viewer,
  signal: AbortSignal | null,
): Promise<Outcome<{ sent: PieceSent; answer: SendAnswer }>> {
  const formatSaved = saving && (async () => JSON.stringify(await toSavedCall(saving)));
  const sent = await sendPiece({ ...order, creditReservationId: null, formatSaved }, viewer, signal);
  return sent.ok ? succeed({ sent: sent.value, answer: await answerPiece(sent.value, saving) }) : sent;
}
