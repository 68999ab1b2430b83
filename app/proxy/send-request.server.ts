import { setTimeout as sleep } from "node:timers/promises";
import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import type { Viewer } from "~/people/viewer.server";
import { NO_SERVER_KEY } from "~/pieces/messages";
import type { PieceOrder } from "~/pieces/send/piece-order.server";
import { type PieceSent, sendPiece } from "~/pieces/send/send-piece.server";
import { ONLY_LIVE_FROM_TESTED } from "~/pieces/tested/tested-piece.server";
import { env } from "~/platform/env.server";
import { doHeavyWork } from "~/platform/heavy-work.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { toSavedCall } from "~/responses/save/auto-save.server";
import { checkScope } from "~/tokens/check-token.server";
import type { ProbeResponse } from "./answer.schema.server";
import { type AnswerToSave, planSaving } from "./answer-call.server";
import { answerPiece } from "./answer-piece.server";
import { cancelOrPass } from "./cancel-piece.server";
import { type SendAnswer, WRITE_ANSWER, writeAnswer } from "./format-answer.server";
import { findCallScope } from "./live-mail-rule";
import { passCall } from "./pass-call.server";
import { prepareCall, toMailCall } from "./prepare-call.server";
import { parseSendInput, type SendInput } from "./send-request.schema.server";

const PROBE_PATH = "__probe__";
const PROBE_FOR_PROGRAMS = `\`__probe__\` is answered at POST /api/stannp only. ${NOTHING_DONE}`;
const WAIT_MS = 10_000;
const POLL_MS = 200;

/** Answers `POST /api/stannp` with JSON. Fails as {@link parseSendInput} and {@link sendRequest} do. */
export async function answerRequest(body: unknown, viewer: Viewer, signal: AbortSignal) {
  const input = parseSendInput(body);
  if (!input.ok) return input;
  if (input.value.path === PROBE_PATH) {
    const probe = { hasServerKey: env().providerKey !== null } satisfies ProbeResponse;
    return succeed({ httpStatus: 200, json: JSON.stringify(probe) });
  }
  const sent = await sendRequest(input.value, viewer, signal);
  if (!sent.ok) return sent;
  const { httpStatus } = sent.value;
  const written = await doHeavyWork(WRITE_ANSWER, sent.value);
  // The call was made, so its answer is written without limits if necessary.
  return succeed({ httpStatus, json: written.ok ? written.value : writeAnswer(sent.value) });
}

/**
 * Sends the request of a posted form. After a double press the browser shows only the second answer, so the second post waits
 * up to ten seconds for the first send and returns its outcome.
 */
export async function sendForm(posted: unknown, viewer: Viewer): Promise<Outcome<SendAnswer>> {
  const input = parseSendInput(posted);
  if (!input.ok) return input;
  if (input.value.path === PROBE_PATH) return fail("bad_input", PROBE_FOR_PROGRAMS);
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const sent = await sendRequest(input.value, viewer);
    if (sent.ok || sent.failure.code !== "in_progress" || performance.now() > until) return sent;
    await sleep(POLL_MS);
  }
}

/**
 * Sends a caller's request to the provider with the server's key: mail as a piece, a cancel of our own piece with its
 * refund, any other unchanged. Fails before anything is sent with `bad_input`, `forbidden`, `missing_scope`,
 * `not_configured` or `overloaded`; mail also as {@link sendPiece} does, cancels as `cancelOrPass`.
 * @param signal the caller's disconnect, which ends every call except live mail
 */
async function sendRequest(
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
    inProviderTurn(async () => succeed(await passCall(passed, viewer, payerId, saving, signal)), signal);
  if (call.class.kind !== "cancel") return pass(call);
  return cancelOrPass(call, call.class.mailType, viewer, saving, pass);
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
