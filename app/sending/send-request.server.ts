import { inProviderTurn } from "~/outside/mail-provider/call/provider-turn.server";
import { checkScope, type Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { answerLive } from "./answer-live.server";
import type { SendAnswer } from "./format-answer.server";
import { NO_SERVER_KEY } from "./messages";
import { sendPlain } from "./plain-send.server";
import { type PreparedCall, prepareCall } from "./prepare-call.server";
import { cancelOwnPiece } from "./proxy-cancel.server";
import { buildContext, type PieceSent, sendMailCall } from "./send-piece.server";
import type { SendInput } from "./send-request.schema.server";

/**
 * Sends a caller's request to the provider with the server's key: mail as a piece, a cancel of our own piece with its
 * refund, anything else as it is. Fails before anything is sent with `bad_input`, `forbidden`, `missing_scope`,
 * `not_configured` or `overloaded`; mail also as {@link sendMailCall} does, cancels as `cancelOwnPiece`.
 * @param signal the caller's disconnect; it ends every call except live mail
 */
export async function sendRequest(
  input: SendInput,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<SendAnswer>> {
  const prepared = prepareCall(input);
  if (!prepared.ok) return prepared;
  const call = prepared.value;
  const { kind } = call.class;
  const limits = { signal, creditReservationId: null };
  if (kind === "mail") {
    const sent = await sendMailCall(input, call, viewer, limits);
    return sent.ok ? succeed(await toAnswer(sent.value)) : sent;
  }
  // A call that changes something at the provider is as grave as live mail.
  const changes = kind === "cancel" || (kind === "free" && call.method !== "GET");
  const allowed = checkScope(viewer, kind === "sample" ? "send:test" : changes ? "send:live" : "read");
  if (!allowed.ok) return allowed;
  if (env().providerKey === null) return fail("not_configured", NO_SERVER_KEY);
  const context = await buildContext(input, call, viewer, limits);
  if (!context.ok) return context;
  const pass = (passed: PreparedCall) =>
    inProviderTurn(async () => succeed((await sendPlain(passed, context.value)).answer), signal);
  if (kind !== "cancel") return pass(call);
  const cancel = await cancelOwnPiece(call, viewer);
  if (!cancel.ok) return cancel;
  return cancel.value.kind === "ours" ? succeed(cancel.value.answer) : pass(cancel.value.call);
}

/** The answer of `POST /api/stannp` to a letter or postcard. */
export async function toAnswer(sent: PieceSent): Promise<SendAnswer> {
  return sent.kind === "live" ? answerLive(sent.outcome, sent.context) : sent.answer;
}
