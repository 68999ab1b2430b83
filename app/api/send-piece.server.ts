import { findBaseOf } from "~/outside/mail-provider/call/address.server";
import type { Viewer } from "~/people/viewer.server";
import { buildMailCall, type MailCall } from "~/pieces/send/mail-call.server";
import type { PieceSent } from "~/pieces/send/send-piece.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { findUnstorableValue } from "~/platform/http/unstorable-value";
import { type Failure, type FailureCode, fail, type Outcome, succeed } from "~/platform/outcome";
import type { SendAnswer } from "~/proxy/format-answer.server";
import { sendAndAnswer } from "~/proxy/send-request.server";
import { loadPiece } from "./load-pieces.server";
import {
  formatBadPiece,
  formatNotReadable,
  KEY_NEEDED,
  PIECES_NEED_DATABASE,
  TEST_NOT_KEPT,
} from "./messages";
import { type NewPiece, newPiece, type WirePiece } from "./piece.schema.server";

/** A piece that was handed to the provider, or a failure with what else is known. */
export type PieceCreated =
  | { ok: true; httpStatus: 200 | 201 | 202; piece: WirePiece; replayed: boolean; notice: string | null }
  | { ok: false; failure: Failure; more: Record<string, unknown> };

const CODES: Readonly<Record<number, FailureCode>> = {
  402: "insufficient_credits",
  403: "forbidden",
  409: "duplicate",
  429: "rate_limited",
  502: "provider_unreachable",
  503: "overloaded",
  504: "provider_timeout",
};

/**
 * Sends one piece by the same way as everything that is sent (`sending/`), with the same rules and the same money.
 * 201 when the provider has it, 202 while that is not known, 200 when the key was used before.
 */
export async function createPiece(
  input: unknown,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<PieceCreated> {
  const order = parseOrder(input);
  if (!order.ok) return refuse(order.failure);
  if (env().database.kind === "none")
    return refuse({ code: "not_configured", message: PIECES_NEED_DATABASE });
  const call = toCall(order.value);
  if (!call.ok) return refuse(call.failure);
  const { idempotency_key, known_duplicate, user_id, tags = [] } = order.value;
  const payerId = user_id ?? viewer.id;
  const idempotencyKey = idempotency_key ?? null;
  const { method, path, url, body } = call.value;
  const base = findBaseOf(url)?.label ?? "";
  const saving = {
    request: { base, method, path, query: {}, headers: {}, body },
    presetId: null,
    tags,
    idempotencyKey,
    userId: payerId,
  };
  const piece = {
    call: call.value,
    payerId,
    idempotencyKey,
    testedPieceId: null,
    knownDuplicate: known_duplicate,
    addressCheck: null,
  };
  const sent = await sendAndAnswer(piece, saving, viewer, signal);
  return sent.ok ? loadSentPiece(sent.value) : refuse(sent.failure);
}

function parseOrder(input: unknown): Outcome<NewPiece> {
  const unstorable = findUnstorableValue(input);
  if (unstorable !== null) return fail("bad_input", `${unstorable} ${NOTHING_DONE}`);
  const parsed = newPiece.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join(".") || "the body"} ${lowerFirst(message)}`);
    return fail("bad_input", formatBadPiece(problems.join("; ")));
  }
  const { mode, idempotency_key: key } = parsed.data;
  return mode === "live" && key === undefined ? fail("bad_input", KEY_NEEDED) : succeed(parsed.data);
}

function toCall(order: NewPiece): Outcome<MailCall> {
  const { addons, ...content } = order.content;
  const text = "text" in content ? { content: content.text, text: undefined } : {};
  const { recipient, tags = [] } = order;
  return buildMailCall({
    path: `${order.type}s/create`,
    test: order.mode === "test",
    fields: {
      ...content,
      ...text,
      ...(addons ? { addons: addons.join(",") } : {}),
      ...(order.tags ? { tags: tags.join(",") } : {}),
      recipient: "id" in recipient ? recipient.id : recipient,
    },
    baseUrl: null,
  });
}

/** Loads the outcome. The state of a stored piece decides, not the provider's words. */
async function loadSentPiece({
  sent,
  answer,
}: {
  sent: PieceSent;
  answer: SendAnswer;
}): Promise<PieceCreated> {
  const { httpStatus } = answer;
  const { error, hint } = answer.response;
  const id = findPieceId(sent);
  if (id === undefined) return refuseUnstored(sent, answer);
  const replayed = sent.kind === "live" && sent.outcome.kind === "earlier";
  const found = await loadPiece(id);
  if (!found.ok) {
    return refuse({ code: "database_unavailable", message: formatNotReadable(id) }, { piece_id: id });
  }
  const piece = found.value;
  if (piece.state === "refused") {
    const message = error ?? piece.note ?? "";
    const more = { piece_id: id, ...(replayed ? { replayed } : {}) };
    return refuse({ code: CODES[httpStatus] ?? "provider_refused", message }, more);
  }
  const open = piece.state === "checking" || piece.state === "needs_decision";
  return {
    ok: true,
    httpStatus: open ? 202 : replayed ? 200 : 201,
    piece,
    replayed,
    notice: open ? (error ?? hint) : hint,
  };
}

/** Finds the id of the stored piece, live or test. */
function findPieceId(sent: PieceSent): string | undefined {
  if (sent.kind === "test") return (sent.outcome.answer && sent.outcome.pieceId) ?? undefined;
  const { outcome } = sent;
  switch (outcome.kind) {
    case "called":
    case "unconfirmed":
      return outcome.piece.id;
    case "earlier":
      return outcome.earlier.record.id;
    case "short":
    case "duplicate":
      return undefined;
  }
}

/** Nothing was stored: refused before, by the provider, or a test that could not be kept. */
function refuseUnstored(sent: PieceSent, { response, httpStatus }: SendAnswer): PieceCreated {
  const { error, hint } = response;
  if (error === null) return refuse({ code: "database_unavailable", message: TEST_NOT_KEPT });
  const failure: Failure = { code: CODES[httpStatus] ?? "provider_refused", message: error };
  return refuse(hint === null ? failure : { ...failure, details: hint }, listFacts(sent));
}

function listFacts(sent: PieceSent): Record<string, unknown> {
  if (sent.kind !== "live") return {};
  const { outcome } = sent;
  if (outcome.kind === "duplicate") return { piece_id: outcome.duplicate.id };
  if (outcome.kind !== "short") return {};
  const { account, piece } = outcome;
  return {
    balance: account.balance,
    cost: piece.cost,
    shortfall: piece.cost - (account.balance - account.held),
  };
}

function refuse(failure: Failure, more: Record<string, unknown> = {}): PieceCreated {
  return { ok: false, failure, more };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
