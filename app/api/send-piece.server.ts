import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { type Failure, type FailureCode, fail, type Outcome, succeed } from "~/platform/outcome";
import type { SendAnswer } from "~/sending/format-answer.server";
import { type Sent, sendCall, toAnswer } from "~/sending/send-request.server";
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
export type PieceSent =
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
export async function sendPiece(input: unknown, viewer: Viewer, signal: AbortSignal): Promise<PieceSent> {
  const order = parseOrder(input);
  if (!order.ok) return refuse(order.failure);
  if (env().database.kind === "none")
    return refuse({ code: "not_configured", message: PIECES_NEED_DATABASE });
  const sent = await sendCall(toProxyRequest(order.value), viewer, signal);
  return sent.ok ? loadSentPiece(sent.value) : refuse(sent.failure);
}

function parseOrder(input: unknown): Outcome<NewPiece> {
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

/** As the Builder would send it. */
function toProxyRequest(order: NewPiece): Record<string, unknown> {
  const { addons, ...content } = order.content;
  const text = "text" in content ? { content: content.text, text: undefined } : {};
  const { recipient, tags } = order;
  return {
    path: `${order.type}s/create`,
    method: "POST",
    body: {
      ...content,
      ...text,
      ...(addons ? { addons: addons.join(",") } : {}),
      ...(tags ? { tags: tags.join(",") } : {}),
      recipient: "id" in recipient ? recipient.id : recipient,
      test: order.mode === "test",
    },
    user_id: order.user_id,
    expect_live: order.mode === "live",
    idempotency_key: order.idempotency_key,
    known_duplicate: order.known_duplicate,
    tags,
  };
}

/** What became of it, by the record of the piece where there is one: its state decides, not the provider's words. */
async function loadSentPiece(sent: Sent): Promise<PieceSent> {
  const answer = await toAnswer(sent);
  const { error, hint, httpStatus } = answer;
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
function findPieceId(sent: Sent): string | undefined {
  if (sent.kind === "plain") return sent.remarks.send_id ?? sent.remarks.piece_id;
  if (sent.kind !== "live") return undefined;
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
function refuseUnstored(sent: Sent, { error, hint, httpStatus }: SendAnswer): PieceSent {
  if (error === null) return refuse({ code: "database_unavailable", message: TEST_NOT_KEPT });
  const failure: Failure = { code: CODES[httpStatus] ?? "provider_refused", message: error };
  return refuse(hint === null ? failure : { ...failure, details: hint }, listFacts(sent));
}

function listFacts(sent: Sent): Record<string, unknown> {
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

function refuse(failure: Failure, more: Record<string, unknown> = {}): PieceSent {
  return { ok: false, failure, more };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
