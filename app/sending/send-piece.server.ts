import { inProviderTurn } from "~/outside/mail-provider/call/provider-turn.server";
import { lookAtRecipient } from "~/outside/mail-provider/recipient.server";
import { checkScope, type Viewer } from "~/people/viewer.server";
import { isOwnKey, OWN_KEYS } from "~/pieces/send/send-id.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { AddressCheckNote } from "./address-note";
import { findRepeatedKey, type LiveOutcome, sendLive } from "./live-send.server";
import { findSavedVariables, finishMailBody } from "./mail-body.server";
import { formatNotMail, formatOwnKey, formatRecipientNotLoaded, NO_SERVER_KEY } from "./messages";
import { type PlainSent, sendPlain } from "./plain-send.server";
import { type PreparedCall, prepareCall } from "./prepare-call.server";
import { planSaving } from "./save-answer.server";
import type { SendContext } from "./send-context";
import type { SendInput } from "./send-request.schema.server";
import { checkTestedPiece } from "./tested/check-tested.server";

/** A letter or postcard that a list or `/api/pieces` orders. */
export interface PieceOrder {
  /** The provider's path for it: `postcards/create`. */
  path: string;
  test: boolean;
  /** The provider's fields, without `test`. */
  fields: Record<string, unknown>;
  /** One of the allowed ones; null: the first of them. */
  baseUrl: string | null;
  /** Who pays; null: the viewer. */
  payerId: string | null;
  /** Null: no one will repeat this order. */
  idempotencyKey: string | null;
  /** The same as in `ProxyRequest`; undefined: duplicates are not looked for. */
  knownDuplicate: string | null | undefined;
  addressCheck: AddressCheckNote | null;
  /** The list's reservation that pays it; null: what the payer has available. */
  creditReservationId: string | null;
  /** How its answer is stored as a response; null: it is not. */
  response: { presetId: string | null; tags: string[] } | null;
}

/** The typed outcome of a piece that was not refused before it was sent. */
export type PieceSent =
  | { kind: "live"; outcome: LiveOutcome; context: SendContext }
  | ({ kind: "test" } & PlainSent);

/** Limits of one send. */
interface SendLimits {
  /** The caller's disconnect; it ends a test, never live mail. */
  signal: AbortSignal | null;
  creditReservationId: string | null;
}

/** Sends a letter or postcard with the server's key. Fails as {@link sendMailCall} does, or with `bad_input` for a bad order. */
export async function sendPiece(
  order: PieceOrder,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<PieceSent>> {
  const { response, creditReservationId } = order;
  const input: SendInput = {
    baseUrl: order.baseUrl,
    path: order.path,
    method: "POST",
    query: {},
    headers: {},
    body: { ...order.fields, test: order.test },
    userId: order.payerId,
    expectLive: !order.test,
    testedPieceId: null,
    idempotencyKey: order.idempotencyKey,
    knownDuplicate: order.knownDuplicate,
    addressCheck: order.addressCheck,
    presetId: response?.presetId ?? null,
    save: response !== null,
    tags: response?.tags ?? [],
  };
  const prepared = prepareCall(input);
  if (!prepared.ok) return prepared;
  if (prepared.value.class.kind !== "mail") return fail("bad_input", formatNotMail(order.path));
  return sendMailCall(input, prepared.value, viewer, { signal, creditReservationId });
}

/**
 * Sends a prepared letter or postcard: fills its texts, checks it, then live mail or a test. Fails before anything is sent
 * with `bad_input`, `missing_scope`, `not_configured`, or `overloaded` when too many calls wait for the provider; live mail also
 * as {@link sendLive} does.
 */
export async function sendMailCall(
  input: SendInput,
  prepared: PreparedCall,
  viewer: Viewer,
  limits: SendLimits,
): Promise<Outcome<PieceSent>> {
  const { idempotencyKey: key } = input;
  if (limits.creditReservationId === null && key !== null && isOwnKey(key)) {
    return fail("bad_input", formatOwnKey(Object.values(OWN_KEYS)));
  }
  const allowed = checkScope(viewer, prepared.live ? "send:live" : "send:test");
  if (!allowed.ok) return allowed;
  if (env().providerKey === null) return fail("not_configured", NO_SERVER_KEY);
  const built = await buildContext(input, prepared, viewer, limits);
  if (!built.ok) return built;
  const needed = findSavedVariables(prepared);
  // The provider is not asked for details that may have changed since the key was used.
  const repeated = prepared.live && needed !== null ? await findRepeatedKey(prepared, built.value) : null;
  if (repeated) return toLive(repeated, built.value);
  const details = await loadDetails(prepared, needed, built.value);
  if (!details.ok) return details;
  const finished = await finishMailBody(prepared, details.value ?? {});
  if (!finished.ok) return finished;
  const { call, notice } = finished.value;
  const context = { ...built.value, notice, recipientDetails: details.value };
  if (call.live) return toLive(await inProviderTurn(() => sendLive(call, context)), context);
  return inProviderTurn(
    async () => succeed({ kind: "test", ...(await sendPlain(call, context)) }),
    context.signal,
  );
}

function toLive(done: Outcome<LiveOutcome>, context: SendContext): Outcome<PieceSent> {
  return done.ok ? succeed({ kind: "live", outcome: done.value, context }) : done;
}

/** The saved recipient's details that the piece's text needs; null when it needs none. */
async function loadDetails(
  call: PreparedCall,
  needed: ReturnType<typeof findSavedVariables>,
  { recipientDetails, signal }: SendContext,
): Promise<Outcome<Record<string, string> | null>> {
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

/** Builds the context of a call. Fails as {@link checkTestedPiece} does when a tested piece is to be sent live. */
export async function buildContext(
  input: SendInput,
  prepared: PreparedCall,
  viewer: Viewer,
  { signal, creditReservationId }: SendLimits,
): Promise<Outcome<SendContext>> {
  const payerId = input.userId ?? viewer.id;
  const { testedPieceId, knownDuplicate, addressCheck, idempotencyKey } = input;
  const tested =
    testedPieceId === null
      ? succeed({ idempotencyKey, recipientDetails: null })
      : await checkTestedPiece(prepared, testedPieceId, { actorId: viewer.id, payerId });
  if (!tested.ok) return tested;
  return succeed({
    testedPieceId,
    knownDuplicate,
    addressCheck,
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
