import { pieceNeedsApproval } from "~/credits/approval-limit.server";
import {
  callProvider,
  type FrozenCall,
  logProviderCall,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/call/client.server";
import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import { fetchRecipient } from "~/outside/mail-provider/recipients.server";
import { checkActsFor, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { endSentence } from "~/platform/sentence";
import { formatVariables } from "~/print/merge/merge";
import { checkScope } from "~/tokens/check-token.server";
import { sendLeaseMs, startCallTime } from "../lease.server";
import { NO_SERVER_KEY } from "../messages";
import { checkTestedPiece, storeTestedPiece, type TestedPieceOffer } from "../tested/tested-piece.server";
import { formatDailyLimit, formatNeedsApproval } from "./daily-limit.server";
import { findSavedVariables, finishMailBody } from "./mail-body.server";
import { freezeCall, type MailCall } from "./mail-call.server";
import {
  checkEarlier,
  DATABASE_DOWN,
  type Earlier,
  findRepeatedKey,
  IN_PROGRESS,
  type Opened,
  openPiece,
} from "./open-piece.server";
import {
  type CallResult,
  callWithPiece,
  treatKeyConflictAsUnknown,
  whileUnderWay,
} from "./piece-call.server";
import { freezePiece, type LivePiece, type OpenOrder, type PieceOrder } from "./piece-order.server";
import { isOwnKey, OWN_KEYS } from "./send-record.server";
import { beginSend } from "./send-transitions.server";
import { releaseUnconfirmed, type Settled, settleFirstCall } from "./settle.server";
import { type MailedTest, recordTest } from "./unexpected-mail.server";

/** The outcome of a piece that was not refused before it was sent. */
export type PieceSent = { order: OpenOrder } & (
  | { kind: "live"; outcome: LiveOutcome }
  | { kind: "test"; outcome: TestOutcome }
);

/** The outcome of live mail that was not refused before its credits were checked. */
type LiveOutcome =
  /** The provider was called. `settled` is stored, or will be. */
  | { kind: "called"; piece: LivePiece; tried: CallResult; settled: Settled }
  /** The database did not confirm the start, so this process did not call. Recovery finishes it. */
  | { kind: "unconfirmed"; piece: LivePiece }
  /** The payer has too few credits, or the same piece was sent before. */
  | (Extract<Opened, { kind: "short" | "duplicate" }> & { piece: LivePiece })
  /** The key was used before, for the same request. */
  | { kind: "earlier"; earlier: Earlier };

/** The outcome of a test: one call, nothing to charge. */
export type TestOutcome = { frozen: FrozenCall } & (
  | { answer: null; result: Exclude<ProviderResult, { kind: "answered" }> }
  | {
      answer: ProviderAnswer;
      /** Its id in the list of pieces; null when it is not stored. */
      pieceId: string | null;
      /** Present when it can be sent live. */
      tested: TestedPieceOffer | null;
      /** Present when the provider mailed it. */
      mailed: MailedTest | null;
    }
);

const OWN_KEY_USED = `Keys that begin with ${Object.values(OWN_KEYS).join(", ")} are Mailroom's own: send another idempotency_key. ${NOTHING_DONE}`;
const UNKNOWN_PAYER = `The user who should pay does not exist. ${NOTHING_DONE}`;
const LIVE_NEEDS_DATABASE = `Live mail needs a database, and none is configured. ${NOTHING_DONE}`;

/**
 * Sends a letter or postcard with the server's key: fills its texts, checks it, then live mail or a test. Fails before
 * anything is sent with `bad_input`, `missing_scope`, `forbidden` for another user, `not_configured`, or `overloaded`
 * when too many calls wait for the provider; live mail also as {@link sendLive} does, a tested piece as
 * {@link checkTestedPiece}.
 * @param signal the caller's disconnect; it ends a test, never live mail
 */
export async function sendPiece(
  order: PieceOrder,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<PieceSent>> {
  const { call, idempotencyKey: key } = order;
  if (order.creditReservationId === null && key !== null && isOwnKey(key)) {
    return fail("bad_input", OWN_KEY_USED);
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
  if (repeated.value) {
    const outcome = { kind: "earlier", earlier: repeated.value } as const;
    return succeed({ kind: "live", outcome, order: opened.value });
  }
  const details = await loadDetails(needed, opened.value, call.live ? null : signal);
  if (!details.ok) return details;
  const finished = await finishMailBody(call, details.value ?? {});
  if (!finished.ok) return finished;
  const ready = { ...opened.value, notice: finished.value.notice, recipientDetails: details.value };
  if (!call.live) {
    return inProviderTurn(async () => {
      const outcome = await sendTest(finished.value.call, ready, signal);
      return succeed({ kind: "test", outcome, order: ready });
    }, signal);
  }
  const sent = await inProviderTurn(() => sendLive(finished.value.call, ready));
  return sent.ok ? succeed({ kind: "live", outcome: sent.value, order: ready }) : sent;
}

/** Opens an order. A tested piece has its own key, and the details that filled its text. */
async function openOrder(order: PieceOrder, viewer: Viewer): Promise<Outcome<OpenOrder>> {
  const opened = { ...order, viewer, notice: null, recipientDetails: null };
  if (order.testedPieceId === null) return succeed(opened);
  const who = { actorId: viewer.id, payerId: order.payerId };
  const tested = await checkTestedPiece(order.call, order.testedPieceId, who);
  return tested.ok ? succeed({ ...opened, ...tested.value }) : tested;
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
  const why = `so ${formatVariables(names)} cannot be filled: ${endSentence(look.reason)}`;
  const message = `The details of recipient ${recipientId} could not be loaded, ${why} ${NOTHING_DONE}`;
  return fail(look.kind === "missing" ? "not_found" : "provider_unreachable", message);
}

/**
 * Sends live mail: holds the cost, calls the provider, then settles. Fails before anything is sent with `not_found`
 * (payer), `limit_reached`, `needs_approval`, `key_reused`, `in_progress`, `database_unavailable`, or `not_configured`
 * without a database, which could neither charge it nor find it again.
 */
async function sendLive(call: MailCall, order: OpenOrder): Promise<Outcome<LiveOutcome>> {
  if (env().database.kind === "none") return fail("not_configured", LIVE_NEEDS_DATABASE);
  const piece = await freezePiece(call, order);
  // The rows of a list were approved with it.
  if (order.creditReservationId === null && pieceNeedsApproval(piece.send.cost)) {
    return fail("needs_approval", formatNeedsApproval(piece.send));
  }
  const opened = await openPiece(piece, call);
  if (!opened.ok) {
    releaseUnconfirmed(piece.send);
    return fail("database_unavailable", DATABASE_DOWN, opened.failure.details);
  }
  switch (opened.value.kind) {
    case "over_limit":
      return fail("limit_reached", formatDailyLimit(piece.send, opened.value.exceeded));
    case "unknown_payer":
      return fail("not_found", UNKNOWN_PAYER);
    case "short":
    case "duplicate":
      return succeed({ ...opened.value, piece });
    case "earlier": {
      const { earlier } = opened.value;
      return checkEarlier(earlier, piece.send.requestHash) ?? succeed({ kind: "earlier", earlier });
    }
    case "in_progress":
      return fail("in_progress", IN_PROGRESS);
    case "open": {
      const { piece } = opened.value;
      return whileUnderWay(piece.send.id, () => callAndSettle(piece));
    }
  }
}

async function callAndSettle(piece: LivePiece): Promise<Outcome<LiveOutcome>> {
  const { frozen, send, order } = piece;
  const time = startCallTime();
  const begun = await withDatabase((db) => beginSend(db, send, sendLeaseMs()));
  // After a late answer the lease may be over, and another process would call too.
  if (!begun.ok || (begun.value && time.leftMs() <= 0)) return succeed({ kind: "unconfirmed", piece });
  if (!begun.value) return fail("database_unavailable", DATABASE_DOWN);
  const meta = { userId: send.userId, providerPath: send.path, sendId: send.id };
  const called = await callWithPiece(frozen, meta, time);
  const tried = treatKeyConflictAsUnknown(called);
  const settled = await settleFirstCall(send, order.viewer, tried);
  return succeed({ kind: "called", piece, tried, settled });
}

/** Sends a test. @param signal the caller's disconnect, which ends it */
async function sendTest(call: MailCall, order: OpenOrder, signal: AbortSignal | null): Promise<TestOutcome> {
  const { viewer, payerId, recipientDetails } = order;
  const frozen = freezeCall(call);
  const result = await callProvider({ ...frozen, signal });
  logProviderCall({ userId: viewer.actorId, method: call.method, providerPath: call.path }, result);
  if (result.kind !== "answered") return { frozen, answer: null, result };
  const { kind, ...answer } = result;
  const recorded = await recordTest(answer, frozen, order);
  const who = { actorId: viewer.id, userId: payerId, recipientDetails };
  return { frozen, answer, ...recorded, tested: await storeTestedPiece(answer, order.call, who) };
}
