import { isSuccess, parseProviderBody } from "~/outside/mail-provider/call/answer";
import { callProvider, type ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import type { Viewer } from "~/people/viewer.server";
import { type CancelRun, cancelByProviderId } from "~/pieces/cancel/cancel-mail.server";
import { refreshByProviderId } from "~/pieces/events/refresh-status.server";
import { logProviderCall } from "~/pieces/lease.server";
import { CANNOT_CANCEL } from "~/pieces/mail-item";
import type { MailType } from "~/pieces/mail-type";
import { CANCEL_AT_ONCE } from "~/pieces/messages";
import { freezeCall } from "~/pieces/send/mail-call.server";
import { alarmUnexpectedSample } from "~/pieces/send/unexpected-mail.server";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { changesRecipients, syncRecipients } from "~/recipients/record-recipients.server";
import {
  type AnswerToSave,
  formatAndSave,
  formatSentRequest,
  formatUnansweredCall,
} from "./answer-call.server";
import { buildAnswer, formatAnswer, type SendAnswer } from "./format-answer.server";
import type { PreparedCall } from "./prepare-call.server";

/** Makes a call that mails no piece and charges nothing. @param signal the caller's disconnect */
export async function sendPlain(
  call: PreparedCall,
  viewer: Viewer,
  payerId: string,
  saving: AnswerToSave | null,
  signal: AbortSignal | null,
): Promise<SendAnswer> {
  const frozen = freezeCall(call);
  const { class: callClass, method } = call;
  const result = await callProvider({ ...frozen, signal });
  logProviderCall({ userId: viewer.actorId, method, providerPath: maskKey(callClass.path) }, result);
  if (result.kind !== "answered") {
    if (result.kind !== "unreachable") await updateOwnLists(call, null, payerId, viewer);
    return formatUnansweredCall(result, frozen, { method, kind: callClass.kind });
  }
  const { kind, ...answer } = result;
  await updateOwnLists(call, answer, payerId, viewer);
  const mailed =
    callClass.kind === "sample"
      ? await alarmUnexpectedSample(answer, callClass.path, { viewer, payerId })
      : null;
  const remarks = mailed === null ? {} : { hint: `${mailed} ${CANCEL_AT_ONCE}` };
  const answered = { call: { method, path: callClass.path }, frozen, answer, remarks };
  return formatAndSave(answered, saving, viewer);
}

/** Updates our lists of mail and recipients after a call. Never fails, because the call's answer must be returned. */
async function updateOwnLists(
  call: PreparedCall,
  answer: ProviderAnswer | null,
  userId: string,
  viewer: Viewer,
): Promise<void> {
  const made = { method: call.method, path: call.class.path };
  try {
    // A cancel without an answer may have been done.
    if (answer === null || !changesRecipients(made)) return await refreshAfterCancel(call, viewer);
    const body = parseProviderBody(answer.text);
    if (env().database.kind === "none" || !isSuccess(answer.status, body, answer.headers["content-type"]))
      return;
    const data = parseJson(body.dataText);
    await syncRecipients({ ...made, body: call.body, data, baseUrl: call.baseUrl, userId }, viewer);
  } catch (error) {
    log.error("lists.not_updated", { errorName: errorNameOf(error) });
  }
}

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
  pass: (call: PreparedCall) => Promise<Outcome<SendAnswer>>,
): Promise<Outcome<SendAnswer>> {
  const providerId = parseId(call.body);
  if (!PIECE_ID.test(providerId)) return fail("bad_input", `${CANNOT_CANCEL}. ${NOTHING_DONE}`);
  if (new URL(call.url).searchParams.size > 0) return fail("bad_input", CANCEL_WITH_QUERY);
  const foreign = { ...call, body: { id: providerId } };
  if (env().database.kind === "none") return pass(foreign);
  const run = await cancelByProviderId({ providerId, baseUrl: call.baseUrl, type }, viewer);
  if (!run.ok) return run;
  return run.value === null ? pass(foreign) : answerRun(run.value, call);
}

/** Refreshes a piece after a cancel that was passed on, because it may be ours by another base URL or path. */
async function refreshAfterCancel(call: PreparedCall, viewer: Viewer): Promise<void> {
  const { kind, path } = call.class;
  const [other, inPath] = OTHER_CANCEL.exec(path.replace(/\.json$/i, "")) ?? [];
  if (call.method !== "POST" || env().database.kind === "none" || (kind !== "cancel" && !other)) return;
  const providerId = inPath ?? parseId(call.body);
  if (PIECE_ID.test(providerId)) await refreshByProviderId(providerId, viewer);
}

async function answerRun({ piece, exchange, outcome }: CancelRun, call: PreparedCall) {
  const { id, type: mailType, userId } = piece;
  const refund = outcome.ok ? outcome.value.refund : null;
  const credits = refund && { success: true, mailType, creditsDeducted: 0, ...refund, userId, error: null };
  if (exchange === null) {
    if (!outcome.ok) return outcome;
    const hint = `${outcome.value.message}.`;
    return succeed(buildAnswer(200, { url: maskKey(call.url), send_id: id, hint, credits }));
  }
  const request = formatSentRequest(exchange.sent);
  const { result } = exchange;
  const { message } = outcome.ok ? outcome.value : outcome.failure;
  const warning = outcome.ok ? outcome.value.warning : null;
  const pending = outcome.ok && outcome.value.kind === "pending";
  const hint = [message.replace(/\.?$/, "."), warning].filter(Boolean).join(" ");
  const remarks = {
    send_id: id,
    hint,
    credits,
    ...(pending ? { pending: true as const, error: message } : {}),
  };
  // A cancelled piece is a success, also when an earlier call cancelled it.
  const done = outcome.ok && !pending ? { error: null } : {};
  if (result.kind !== "answered") {
    const { durationMs } = result;
    const status = pending ? 202 : outcome.ok ? 200 : 502;
    const fields = { url: request.url, request, durationMs, error: message, ...remarks, ...done };
    return succeed(buildAnswer(status, fields));
  }
  const made = { method: call.method, path: call.class.path };
  return succeed(await formatAnswer(result, made, request, { ...remarks, ...done }));
}

function parseId(body: unknown): string {
  const { id } = parseRecord(body);
  return typeof id === "string" || typeof id === "number" ? String(id).trim() : "";
}
