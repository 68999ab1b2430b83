import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { findUnstorableValue } from "~/platform/http/unstorable-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { SendAnswer } from "./answer.server";
import { sendLive } from "./live-send.server";
import { finishMailBody } from "./mail-body.server";
import { NO_SERVER_KEY } from "./messages";
import { sendPlain } from "./plain-send.server";
import { type PreparedCall, prepareCall } from "./prepare.server";
import { cancelOwnPiece } from "./proxy-cancel.server";
import type { ProbeResponse } from "./proxy-types";
import { planSaving } from "./save-answer.server";
import type { SendContext } from "./send-context";
import { parseSendInput, type SendInput } from "./send-request.schema.server";
import { checkTestedPiece } from "./tested/check-tested.server";

const PROBE_PATH = "__probe__";

/**
 * Sends a caller's request to the provider with the server's key and returns the answer of `POST /api/stannp`.
 * Fails before anything is sent with `bad_input`, `forbidden` or `not_configured`; live mail also with `not_found`,
 * `in_progress`, `key_reused` or `database_unavailable`.
 * @param signal the caller's disconnect; it ends every call except live mail
 */
export async function sendRequest(
  input: unknown,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<SendAnswer>> {
  const unstorable = findUnstorableValue(input);
  if (unstorable !== null) return fail("bad_input", `${unstorable} ${NOTHING_DONE}`);
  const parsed = parseSendInput(input);
  if (!parsed.ok) return parsed;
  if (parsed.value.path === PROBE_PATH) return succeed(answerProbe());

  const prepared = prepareCall(parsed.value);
  if (!prepared.ok) return prepared;
  if (env().providerKey === null) return fail("not_configured", NO_SERVER_KEY);
  const context = await buildContext(parsed.value, prepared.value, viewer, signal);
  if (!context.ok) return context;

  const finished = await finishMailBody(prepared.value);
  if (!finished.ok) return finished;
  const { call, notice } = finished.value;
  const noted = { ...context.value, notice };

  if (call.live) return sendLive(call, noted);
  if (call.class.kind !== "cancel") return succeed(await sendPlain(call, noted));
  const cancel = await cancelOwnPiece(call, viewer);
  if (!cancel.ok) return cancel;
  if (cancel.value.kind === "ours") return succeed(cancel.value.answer);
  return succeed(await sendPlain(cancel.value.call, noted));
}

function answerProbe(): SendAnswer {
  const probe: ProbeResponse = { hasServerKey: env().providerKey !== null };
  return { httpStatus: 200, jsonText: JSON.stringify(probe) };
}

/** What goes with the call. Fails as {@link checkTestedPiece} does when a tested piece is to be sent live. */
async function buildContext(
  input: SendInput,
  prepared: PreparedCall,
  viewer: Viewer,
  signal: AbortSignal | null,
): Promise<Outcome<SendContext>> {
  const payerId = input.userId ?? viewer.id;
  const { testedPieceId, idempotencyKey } = input;
  const tested =
    testedPieceId === null
      ? succeed({ idempotencyKey })
      : await checkTestedPiece(prepared, testedPieceId, { actorId: viewer.id, payerId });
  if (!tested.ok) return tested;
  return succeed({
    input,
    prepared,
    viewer,
    payerId,
    idempotencyKey: tested.value.idempotencyKey,
    notice: null,
    saving: planSaving(input, prepared, payerId),
    signal,
  });
}
