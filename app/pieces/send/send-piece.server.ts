import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import { fetchRecipient } from "~/outside/mail-provider/recipients.server";
import { checkActsFor, type Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { formatVariables } from "~/print/merge/merge";
import { checkScope } from "~/tokens/check-token.server";
import { NO_SERVER_KEY } from "../messages";
import { checkTestedPiece } from "../tested/check-tested.server";
import { type LiveOutcome, sendLive } from "./live-send.server";
import { findSavedVariables, finishMailBody } from "./mail-body.server";
import { findRepeatedKey } from "./open-piece.server";
import type { OpenOrder, PieceOrder } from "./piece-order";
import { isOwnKey, OWN_KEYS } from "./send-id.server";
import { sendTest, type TestOutcome } from "./test-send.server";

/** The outcome of a piece that was not refused before it was sent. */
export type PieceSent =
  | { kind: "live"; outcome: LiveOutcome; order: OpenOrder }
  | { kind: "test"; outcome: TestOutcome; order: OpenOrder };

/**
 * Sends a letter or postcard with the server's key: fills its texts, checks it, then live mail or a test. Fails before
 * anything is sent with `bad_input`, `missing_scope`, `forbidden` for another user, `not_configured`, or `overloaded` when too many calls wait for the
 * provider; live mail also as {@link sendLive} does, a tested piece as {@link checkTestedPiece}.
 * @param signal the caller's disconnect; it ends a test, never live mail
 */
export async function sendPiece(
  order: PieceOrder,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<PieceSent>> {
  const { call, idempotencyKey: key } = order;
  if (order.creditReservationId === null && key !== null && isOwnKey(key)) {
    return fail("bad_input", formatOwnKey(Object.values(OWN_KEYS)));
  }
  const allowed = checkScope(viewer, call.live ? "send:live" : "send:test");
  if (!allowed.ok) return allowed;
  const acts = checkActsFor(viewer, order.payerId);
  if (!acts.ok) return acts;
  if (env().providerKey === null) return fail("not_configured", NO_SERVER_KEY);
  const opened = await openOrder(order, viewer);
  if (!opened.ok) return opened;
  const needed = findSavedVariables(call);
  // The details may have changed since the key was used.
  const repeated = call.live && needed !== null ? await findRepeatedKey(opened.value) : succeed(null);
  if (!repeated.ok) return repeated;
  if (repeated.value) return toLive(succeed({ kind: "earlier", earlier: repeated.value }), opened.value);
  const details = await loadDetails(needed, opened.value, call.live ? null : signal);
  if (!details.ok) return details;
  const finished = await finishMailBody(call, details.value ?? {});
  if (!finished.ok) return finished;
  const ready = { ...opened.value, notice: finished.value.notice, recipientDetails: details.value };
  if (call.live) return toLive(await inProviderTurn(() => sendLive(finished.value.call, ready)), ready);
  return inProviderTurn(async () => {
    const outcome = await sendTest(finished.value.call, ready, signal);
    return succeed({ kind: "test", outcome, order: ready });
  }, signal);
}

function toLive(done: Outcome<LiveOutcome>, order: OpenOrder): Outcome<PieceSent> {
  return done.ok ? succeed({ kind: "live", outcome: done.value, order }) : done;
}

/** Loads the saved recipient's details that the piece's text needs; null when it needs none. */
async function loadDetails(
  needed: ReturnType<typeof findSavedVariables>,
  { call, recipientDetails }: OpenOrder,
  signal: AbortSignal | null,
): Promise<Outcome<Record<string, string> | null>> {
  if (needed === null) return succeed(null);
  if (recipientDetails !== null) return succeed({ ...recipientDetails });
  const { recipientId, names } = needed;
  const fetched = await inProviderTurn(
    async () => succeed(await fetchRecipient(call.baseUrl, recipientId, env().providerTimeoutMs)),
    signal,
  );
  if (!fetched.ok) return fetched;
  const look = fetched.value;
  if (look.kind === "found") {
    const { details } = look;
    return succeed(Object.fromEntries(names.map((name) => [name, details[name] ?? ""])));
  }
  const message = `${formatRecipientNotLoaded(recipientId, names, look.reason)} ${NOTHING_DONE}`;
  return fail(look.kind === "missing" ? "not_found" : "provider_unreachable", message);
}

/** Opens an order. A tested piece has its own key, and the details that filled its text. */
async function openOrder(order: PieceOrder, viewer: Viewer): Promise<Outcome<OpenOrder>> {
  const opened = { ...order, viewer, notice: null, recipientDetails: null };
  if (order.testedPieceId === null) return succeed(opened);
  const who = { actorId: viewer.id, payerId: order.payerId };
  const tested = await checkTestedPiece(order.call, order.testedPieceId, who);
  return tested.ok ? succeed({ ...opened, ...tested.value }) : tested;
}

function formatOwnKey(prefixes: readonly string[]): string {
  return `Keys that begin with ${prefixes.join(", ")} are Mailroom's own: send another idempotency_key. ${NOTHING_DONE}`;
}

/** @param reason the provider's, or why it could not be asked */
function formatRecipientNotLoaded(id: string, names: readonly string[], reason: string): string {
  return `The details of recipient ${id} could not be loaded, so ${formatVariables(names)} cannot be filled: ${reason.replace(/\.$/, "")}.`;
}
