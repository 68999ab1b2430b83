import { maskKey } from "~/outside/mail-provider/call/keys.server";
import type { Viewer } from "~/people/viewer.server";
import { type CancelRun, cancelByProviderId } from "~/pieces/cancel/cancel-mail.server";
import { refreshByProviderId } from "~/pieces/events/refresh-status.server";
import { CANNOT_CANCEL } from "~/pieces/mail-item";
import type { MailType } from "~/pieces/mail-type";
import { env } from "~/platform/env.server";
import { parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { endSentence } from "~/platform/sentence";
import { type AnswerToSave, formatAndSave, formatSentRequest } from "./answer-call.server";
import { buildAnswer, type SendAnswer } from "./format-answer.server";
import type { PreparedCall } from "./prepare-call.server";

const CANCEL_WITH_QUERY = `A cancel takes its id in the body and nothing in the query. ${NOTHING_DONE}`;

/** The provider's IDs are whole numbers. Other spellings are refused, because the provider might accept them. */
const PIECE_ID = /^[1-9]\d{0,18}$/;
/** Undocumented path that cancels a piece. */
const OTHER_CANCEL = /^mailings\/cancel(?:\/(\d{1,19}))?$/i;

/**
 * Handles `postcards/cancel` and `letters/cancel`: cancels and refunds our own piece, and passes on any other with its ID
 * only. Fails before any call with `bad_input` (no valid ID, or the other type's path), `in_progress`, or as the database
 * does.
 */
export async function cancelOrPass(
  call: PreparedCall,
  type: MailType,
  viewer: Viewer,
  saving: AnswerToSave | null,
  pass: (call: PreparedCall) => Promise<Outcome<SendAnswer>>,
): Promise<Outcome<SendAnswer>> {
  const providerId = parseId(call.body);
  if (!PIECE_ID.test(providerId)) return fail("bad_input", `${CANNOT_CANCEL}. ${NOTHING_DONE}`);
  if (new URL(call.url).searchParams.size > 0) return fail("bad_input", CANCEL_WITH_QUERY);
  const foreign = { ...call, body: { id: providerId } };
  if (env().database.kind === "none") return pass(foreign);
  const run = await cancelByProviderId({ providerId, baseUrl: call.baseUrl, type }, viewer);
  if (!run.ok) return run;
  return run.value === null ? pass(foreign) : answerRun(run.value, call, saving, viewer);
}

/** Refreshes a piece after a cancel that was passed on, because it may be ours by another base URL or path. */
export async function refreshAfterCancel(call: PreparedCall, viewer: Viewer): Promise<void> {
  const { kind, path } = call.class;
  const [other, inPath] = OTHER_CANCEL.exec(path.replace(/\.json$/i, "")) ?? [];
  if (call.method !== "POST" || env().database.kind === "none" || (kind !== "cancel" && !other)) return;
  const providerId = inPath ?? parseId(call.body);
  if (PIECE_ID.test(providerId)) await refreshByProviderId(providerId, viewer);
}

async function answerRun(
  { piece, exchange, outcome }: CancelRun,
  call: PreparedCall,
  saving: AnswerToSave | null,
  viewer: Viewer,
): Promise<Outcome<SendAnswer>> {
  const { id, type: mailType, userId } = piece;
  const { kind, message, refund, warning } = outcome.ok
    ? outcome.value
    : { kind: "failed", message: outcome.failure.message, refund: null, warning: null };
  const credits = refund && { success: true, mailType, creditsDeducted: 0, ...refund, userId, error: null };
  const hint = [endSentence(message), warning].filter(Boolean).join(" ");
  const remarks = { send_id: id, hint, credits };
  if (exchange === null) {
    return outcome.ok ? succeed(buildAnswer(200, { url: maskKey(call.url), ...remarks })) : outcome;
  }
  const pending = kind === "pending";
  // A cancelled piece is a success, also when an earlier call cancelled it.
  const error = pending ? { pending: true as const, error: message } : outcome.ok ? { error: null } : {};
  const { result, sent: frozen } = exchange;
  if (result.kind === "answered") {
    const made = { method: call.method, path: call.class.path };
    // Its stored response is not that of the piece, which has the piece's ID.
    const answered = { call: made, frozen, answer: result, remarks: { hint, credits, ...error } };
    const saved = await formatAndSave(answered, saving, viewer);
    return succeed({ ...saved, response: { ...saved.response, send_id: id } });
  }
  const request = formatSentRequest(frozen);
  const { durationMs } = result;
  const fields = { url: request.url, request, durationMs, error: message, ...remarks, ...error };
  return succeed(buildAnswer(pending ? 202 : outcome.ok ? 200 : 502, fields));
}

function parseId(body: unknown): string {
  const { id } = parseRecord(body);
  return typeof id === "string" || typeof id === "number" ? String(id).trim() : "";
}
