import { findBaseOf } from "~/outside/mail-provider/call/address.server";
import type { Viewer } from "~/people/viewer.server";
import {
  claimLabels,
  dropLabels,
  findLabelled,
  type LiveLabels,
  labelTest,
} from "~/pieces/piece-labels.server";
import { preflight } from "~/pieces/send/mail-body.server";
import { buildMailCall, type MailCall } from "~/pieces/send/mail-call.server";
import { DATABASE_DOWN, KEY_REUSED } from "~/pieces/send/open-piece.server";
import type { PieceSent, TestOutcome } from "~/pieces/send/send-piece.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { findUnstorableValue } from "~/platform/http/json-body.server";
import { formatBadRequest, formatFieldProblems, parseInput } from "~/platform/input.server";
import { type Failed, type FailureCode, fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import type { SendAnswer } from "~/proxy/format-answer.server";
import { sendAndAnswer } from "~/proxy/send-request.server";
import { checkScope } from "~/tokens/check-token.server";
import { type NewPiece, newPiece, type PieceFinding, type WirePiece } from "./piece.schema.server";
import { loadPiece } from "./pieces.server";

const KEY_NEEDED = `Live mail needs an Idempotency-Key, so that a retry never mails it twice. ${NOTHING_DONE} Send a key of your own for each piece.`;
const REFERENCE_USED = `Another live piece of yours has this \`reference\`. ${NOTHING_DONE} Choose another one.`;
const TEST_NOT_STORED = "The test was made, but it could not be stored. Nothing was mailed. Send it again.";

/** A piece that the provider may have, or a failure with further fields. */
export type PieceCreated =
  | { ok: true; httpStatus: 200 | 201 | 202; piece: WirePiece; replayed: boolean; notice: string | null }
  | PieceRefused;

type PieceRefused = Failed & { more?: Record<string, unknown> };

const SEVERITIES = { ruins: "ruins", warn: "warns", info: "informs" } as const;

const CODES: Readonly<Record<number, FailureCode>> = {
  402: "insufficient_credits",
  403: "forbidden",
  409: "duplicate",
  429: "rate_limited",
  502: "provider_unreachable",
  503: "overloaded",
  504: "provider_timeout",
};

/** Sends one piece. 201: the provider has it. 202: that is not known yet. 200: the key was used before. */
export async function createPiece(
  input: unknown,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<PieceCreated> {
  const order = parseOrder(input);
  if (!order.ok) return order;
  const { mode, idempotency_key, known_duplicate, user_id, tested_piece_id, tags = [] } = order.value;
  if (mode === "live" && idempotency_key === undefined && tested_piece_id === undefined) {
    return fail("bad_input", KEY_NEEDED);
  }
  if (env().database.kind === "none")
    return fail("not_configured", `Pieces need a database. ${NOTHING_DONE}`);
  const call = toCall(order.value);
  if (!call.ok) return call;
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
    testedPieceId: tested_piece_id ?? null,
    knownDuplicate: known_duplicate,
    addressCheck: null,
  };
  const labels = toLiveLabels(order.value, viewer);
  const claimed = labels && (await claimReference(labels));
  if (claimed && !claimed.ok) return claimed;
  const done = await sendAndAnswer(piece, saving, viewer, signal);
  if (labels && claimed?.isNew && !(done.ok && findPieceId(done.value.sent))) {
    await withDatabase((db) => dropLabels(db, labels));
  }
  if (!done.ok) return done;
  const { sent, answer } = done.value;
  if (sent.kind === "test") await storeTestLabels(order.value, sent.outcome, viewer);
  return loadSentPiece(sent, answer);
}

/** Lists the findings of a piece by severity, without sending, storing or charging anything. */
export async function preflightPiece(input: unknown, viewer: Viewer): Promise<Outcome<PieceFinding[]>> {
  const order = parseOrder(input);
  if (!order.ok) return order;
  const allowed = checkScope(viewer, order.value.mode === "live" ? "send:live" : "send:test");
  if (!allowed.ok) return allowed;
  const call = toCall(order.value);
  if (!call.ok) return call;
  const findings = await preflight(call.value);
  if (!findings.ok) return findings;
  return succeed(
    findings.value.map(({ tone, code, field, text }) => ({
      severity: SEVERITIES[tone],
      code,
      field: field === null ? null : toWireField(field),
      text,
    })),
  );
}

/** Converts a form's field to its name in the order: `recipient_city` to `recipient.city`. */
function toWireField(field: string): string {
  if (field.startsWith("recipient")) return field.replace("_", ".");
  return `content.${field === "content" ? "text" : field}`;
}

/** Collects the reference and tags of a live order; null when it has none. */
function toLiveLabels(order: NewPiece, viewer: Viewer): LiveLabels | null {
  const { mode, reference = null, tags = [], tested_piece_id, idempotency_key } = order;
  const key = tested_piece_id ?? idempotency_key;
  if (mode === "test" || key === undefined || (reference === null && tags.length === 0)) return null;
  return { actorId: viewer.id, key, reference, tags };
}

/** Stores labels before the piece is sent, so that two requests cannot have one reference. */
async function claimReference(labels: LiveLabels): Promise<{ ok: true; isNew: boolean } | PieceRefused> {
  const claimed = await withDatabase((db) => claimLabels(db, labels));
  if (!claimed.ok) return fail("database_unavailable", DATABASE_DOWN);
  if (claimed.value === "key_reused") return fail("key_reused", KEY_REUSED);
  if (claimed.value !== "taken") return { ok: true, isNew: claimed.value === "claimed" };
  const holder = await withDatabase((db) => findLabelled(db, labels));
  const more = holder.ok && holder.value !== null ? { piece_id: holder.value } : {};
  return { ...fail("reference_used", REFERENCE_USED), more };
}

/** Stores the labels of a test. A failure does not matter, because the test was made. */
async function storeTestLabels(order: NewPiece, outcome: TestOutcome, viewer: Viewer): Promise<void> {
  const { reference = null, tags = [] } = order;
  if (outcome.answer === null || outcome.pieceId === null || outcome.mailed !== null) return;
  const { pieceId: id, tested } = outcome;
  const labels = { id, actorId: viewer.id, reference, tags, testedPieceId: tested?.id ?? null };
  await withDatabase((db) => labelTest(db, labels));
}

function parseOrder(input: unknown): Outcome<NewPiece> {
  const unstorable = findUnstorableValue(input);
  if (unstorable !== null) return fail("bad_input", `${unstorable} ${NOTHING_DONE}`);
  const describe = (problems: string) => `${formatBadRequest(problems)} ${NOTHING_DONE}`;
  return parseInput(newPiece, input, describe, formatFieldProblems);
}

function toCall(order: NewPiece): Outcome<MailCall> {
  const { addons, ...content } = order.content;
  const text = "text" in content ? { content: content.text, text: undefined } : {};
  const { recipient, tags } = order;
  return buildMailCall({
    path: `${order.type}s/create`,
    test: order.mode === "test",
    fields: {
      ...content,
      ...text,
      ...(addons ? { addons: addons.join(",") } : {}),
      ...(tags ? { tags: tags.join(",") } : {}),
      recipient: "id" in recipient ? recipient.id : recipient,
    },
    baseUrl: null,
  });
}

/** Loads the outcome, which the state of the stored piece decides. */
async function loadSentPiece(sent: PieceSent, answer: SendAnswer): Promise<PieceCreated> {
  const { httpStatus, response } = answer;
  const { error, hint } = response;
  const id = findPieceId(sent);
  if (id === undefined) return refuseUnstored(sent, answer);
  const replayed = sent.kind === "live" && sent.outcome.kind === "earlier";
  const found = await loadPiece(id);
  if (!found.ok) {
    const message = `Piece ${id} was sent, but its record cannot be read now. Ask for it again later, or repeat with the same key.`;
    return { ...fail("database_unavailable", message), more: { piece_id: id } };
  }
  const piece = found.value;
  if (piece.state === "refused") {
    const refused = fail(CODES[httpStatus] ?? "provider_refused", error ?? piece.note ?? "");
    return { ...refused, more: { piece_id: id, ...(replayed ? { replayed } : {}) } };
  }
  const open = piece.state === "checking" || piece.state === "needs_decision";
  const isStopped = piece.state === "cancelling" || piece.state === "cancelled";
  return {
    ok: true,
    httpStatus: open ? 202 : replayed ? 200 : 201,
    piece,
    replayed,
    notice: open || isStopped ? (error ?? hint) : hint,
  };
}

function findPieceId(sent: PieceSent): string | undefined {
  if (sent.kind === "test") return (sent.outcome.answer && sent.outcome.pieceId) ?? undefined;
  const { outcome } = sent;
  switch (outcome.kind) {
    case "called":
    case "unconfirmed":
      return outcome.piece.send.id;
    case "earlier":
      return outcome.earlier.record.id;
    case "short":
    case "duplicate":
      return undefined;
  }
}

/** Refuses a piece that was not stored: refused before the call or by the provider, or a test that could not be stored. */
function refuseUnstored(sent: PieceSent, { response, httpStatus }: SendAnswer): PieceCreated {
  const { error, hint } = response;
  if (sent.kind === "test" && sent.outcome.answer !== null && sent.outcome.mailed !== null) {
    // A code that programs do not repeat, because a repeat may be mailed again.
    const { credits } = response;
    return fail("provider_refused", credits?.error ?? hint ?? "", credits && hint ? hint : undefined);
  }
  if (error === null) return fail("database_unavailable", TEST_NOT_STORED);
  const refused = fail(CODES[httpStatus] ?? "provider_refused", error, hint ?? undefined);
  return { ...refused, more: listFacts(sent) };
}

function listFacts(sent: PieceSent): Record<string, unknown> {
  if (sent.kind !== "live") return {};
  const { outcome } = sent;
  if (outcome.kind === "duplicate") return { piece_id: outcome.duplicate.id };
  if (outcome.kind !== "short") return {};
  const { balance, held } = outcome.account;
  const { cost } = outcome.piece.send;
  return { balance, cost, shortfall: cost - (balance - held) };
}
