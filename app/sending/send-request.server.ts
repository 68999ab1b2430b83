import { inProviderTurn } from "~/outside/mail-provider/call/provider-turn.server";
import { lookAtRecipient } from "~/outside/mail-provider/recipient.server";
import { checkScope, type Viewer } from "~/people/viewer.server";
import { isOwnKey, OWN_KEYS } from "~/pieces/send/send-id.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import type { TokenScope } from "~/platform/http/token-scopes";
import { findUnstorableValue } from "~/platform/http/unstorable-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { answerLive } from "./answer-live.server";
import type { SendAnswer } from "./format-answer.server";
import { findRepeatedKey, type LiveOutcome, sendLive } from "./live-send.server";
import { findSavedVariables, finishMailBody } from "./mail-body.server";
import { formatOwnKey, formatRecipientNotLoaded, NO_SERVER_KEY } from "./messages";
import { type PlainSent, sendPlain } from "./plain-send.server";
import { type PreparedCall, prepareCall } from "./prepare-call.server";
import { cancelOwnPiece } from "./proxy-cancel.server";
import type { ProbeResponse } from "./proxy-types";
import { planSaving } from "./save-answer.server";
import type { SendContext } from "./send-context";
import { parseSendInput, type SendInput } from "./send-request.schema.server";
import { checkTestedPiece } from "./tested/check-tested.server";

const PROBE_PATH = "__probe__";

/** The typed outcome of a request. `other`: a cancel of our own piece, or the probe. */
export type Sent =
  | { kind: "live"; outcome: LiveOutcome; context: SendContext }
  | ({ kind: "plain" } & PlainSent)
  | { kind: "other"; answer: SendAnswer };

/** {@link sendCall}, with the answer of `POST /api/stannp`. */
export async function sendRequest(
  input: unknown,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<SendAnswer>> {
  const sent = await sendCall(input, viewer, signal);
  return sent.ok ? succeed(await toAnswer(sent.value)) : sent;
}

/** The answer of `POST /api/stannp` to what was sent. */
export async function toAnswer(sent: Sent): Promise<SendAnswer> {
  return sent.kind === "live" ? answerLive(sent.outcome, sent.context) : sent.answer;
}

/**
 * Sends a caller's request to the provider with the server's key. Fails before anything is sent with `bad_input`, `forbidden`, `missing_scope` or `not_configured`; live mail also with `not_found`,
 * `in_progress`, `key_reused` or `database_unavailable`; with `overloaded` when too many calls wait for the provider.
 * @param signal the caller's disconnect; it ends every call except live mail
 * @param creditReservationId of the list that the piece belongs to, which pays it; never what a caller says
 */
export async function sendCall(
  input: unknown,
  viewer: Viewer,
  signal: AbortSignal | null = null,
  creditReservationId: string | null = null,
): Promise<Outcome<Sent>> {
  const unstorable = findUnstorableValue(input);
  if (unstorable !== null) return fail("bad_input", `${unstorable} ${NOTHING_DONE}`);
  const parsed = parseSendInput(input);
  if (!parsed.ok) return parsed;
  const { idempotencyKey } = parsed.value;
  if (creditReservationId === null && idempotencyKey !== null && isOwnKey(idempotencyKey)) {
    return fail("bad_input", formatOwnKey(Object.values(OWN_KEYS)));
  }
  if (parsed.value.path === PROBE_PATH) return succeed({ kind: "other", answer: answerProbe() });

  const prepared = prepareCall(parsed.value);
  if (!prepared.ok) return prepared;
  const allowed = checkScope(viewer, findScope(prepared.value));
  if (!allowed.ok) return allowed;
  if (env().providerKey === null) return fail("not_configured", NO_SERVER_KEY);
  const context = await buildContext(parsed.value, prepared.value, viewer, { signal, creditReservationId });
  if (!context.ok) return context;

  const repeated = await findRepeated(prepared.value, context.value);
  if (repeated) return repeated;
  const details = await loadDetails(prepared.value, context.value);
  if (!details.ok) return details;
  const finished = await finishMailBody(prepared.value, details.value ?? {});
  if (!finished.ok) return finished;
  const { call, notice } = finished.value;
  const noted = { ...context.value, notice, recipientDetails: details.value };

  if (call.live) return toLive(await inProviderTurn(() => sendLive(call, noted)), noted);
  if (call.class.kind !== "cancel") return sendPlainInTurn(call, noted);
  const cancel = await cancelOwnPiece(call, viewer);
  if (!cancel.ok) return cancel;
  if (cancel.value.kind === "ours") return succeed({ kind: "other", answer: cancel.value.answer });
  return sendPlainInTurn(cancel.value.call, noted);
}

/** What a token must be allowed for a call: whatever changes something at the provider is as grave as live mail. */
function findScope(call: PreparedCall): TokenScope {
  if (!call.live && (call.class.kind === "mail" || call.class.kind === "sample")) return "send:test";
  return call.method === "GET" && call.class.kind === "free" ? "read" : "send:live";
}

function sendPlainInTurn(call: PreparedCall, context: SendContext): Promise<Outcome<Sent>> {
  return inProviderTurn(async () => {
    return succeed({ kind: "plain", ...(await sendPlain(call, context)) });
  }, context.signal);
}

function toLive(done: Outcome<LiveOutcome>, context: SendContext): Outcome<Sent> {
  return done.ok ? succeed({ kind: "live", outcome: done.value, context }) : done;
}

/** The outcome of a repeated key, before the provider is asked for details that may have changed since. */
async function findRepeated(call: PreparedCall, context: SendContext): Promise<Outcome<Sent> | null> {
  const repeated =
    call.live && findSavedVariables(call) !== null ? await findRepeatedKey(call, context) : null;
  return repeated && toLive(repeated, context);
}

/** The saved recipient's details that the piece's text needs; null when it needs none. */
async function loadDetails(
  call: PreparedCall,
  { recipientDetails, signal }: SendContext,
): Promise<Outcome<Record<string, string> | null>> {
  const needed = findSavedVariables(call);
  if (needed === null) return succeed(null);
  if (recipientDetails !== null) return succeed({ ...recipientDetails });
  const { recipientId, names } = needed;
  const asked = await inProviderTurn(
    async () => succeed(await lookAtRecipient(call.baseUrl, recipientId, env().providerTimeoutMs)),
    call.live ? null : signal,
  );
  if (!asked.ok) return asked;
  const look = asked.value;
  if (look.kind === "found") {
    const { details } = look;
    return succeed(Object.fromEntries(names.map((name) => [name, details[name] ?? ""])));
  }
  const message = `${formatRecipientNotLoaded(recipientId, names, look.reason)} ${NOTHING_DONE}`;
  return fail(look.kind === "missing" ? "not_found" : "provider_unreachable", message);
}

function answerProbe(): SendAnswer {
  const probe: ProbeResponse = { hasServerKey: env().providerKey !== null };
  return { httpStatus: 200, error: null, hint: null, jsonText: JSON.stringify(probe) };
}

/** What goes with the call. Fails as {@link checkTestedPiece} does when a tested piece is to be sent live. */
async function buildContext(
  input: SendInput,
  prepared: PreparedCall,
  viewer: Viewer,
  { signal, creditReservationId }: Pick<SendContext, "signal" | "creditReservationId">,
): Promise<Outcome<SendContext>> {
  const payerId = input.userId ?? viewer.id;
  const { testedPieceId, idempotencyKey } = input;
  const tested =
    testedPieceId === null
      ? succeed({ idempotencyKey, recipientDetails: null })
      : await checkTestedPiece(prepared, testedPieceId, { actorId: viewer.id, payerId });
  if (!tested.ok) return tested;
  return succeed({
    input,
    prepared,
    recipientDetails: tested.value.recipientDetails,
    viewer,
    payerId,
    idempotencyKey: tested.value.idempotencyKey,
    notice: null,
    saving: planSaving(input, prepared, payerId),
    signal,
    creditReservationId,
  });
}
