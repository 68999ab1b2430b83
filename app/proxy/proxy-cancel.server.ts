import { maskKey } from "~/outside/mail-provider/call/keys.server";
import type { Viewer } from "~/people/viewer.server";
import { type CancelRun, cancelByProviderId } from "~/pieces/cancel/cancel-mail.server";
import { refreshByProviderId } from "~/pieces/events/refresh-status.server";
import { CANNOT_CANCEL, isMailId } from "~/pieces/mail-item";
import { env } from "~/platform/env.server";
import { parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { buildAnswer, formatAnswer, type SendAnswer } from "./format-answer.server";
import type { PreparedCall } from "./prepare-call.server";
import { formatSentRequest } from "./sent-request.server";

const CANCEL_WITH_QUERY = `A cancel takes its id in the body and nothing in the query. ${NOTHING_DONE}`;

/** The provider's IDs are whole numbers. Other spellings are refused, because the provider might accept them. */
const PIECE_ID = /^[1-9]\d{0,18}$/;
/** Undocumented path that cancels a piece. */
const OTHER_CANCEL = /^mailings\/cancel(?:\/(\d{1,19}))?$/i;

/** An answered cancel of our own piece, or a cancel of another piece to pass on. */
type Passed =
  | { kind: "ours"; answer: SendAnswer }
  | { kind: "foreign"; call: PreparedCall; providerId: string };

/**
 * Handles `postcards/cancel` and `letters/cancel`: cancels and refunds our own piece, and passes on any other with its ID
 * only. Fails before any call with `bad_input` (no valid ID, or the other type's path), `in_progress`, or as the database does.
 */
export async function cancelOwnPiece(call: PreparedCall, viewer: Viewer): Promise<Outcome<Passed>> {
  const providerId = parseId(call.body);
  if (!isMailId(providerId) || !PIECE_ID.test(providerId))
    return fail("bad_input", `${CANNOT_CANCEL}. ${NOTHING_DONE}`);
  if (new URL(call.url).searchParams.size > 0) {
    return fail("bad_input", CANCEL_WITH_QUERY);
  }
  const foreign = { kind: "foreign", call: { ...call, body: { id: providerId } }, providerId } as const;
  if (env().database.kind === "none" || call.class.kind !== "cancel") return succeed(foreign);
  const { baseUrl } = call;
  const run = await cancelByProviderId({ providerId, baseUrl, type: call.class.mailType }, viewer);
  if (!run.ok) return run;
  if (run.value === null) return succeed(foreign);
  const answer = await answerRun(run.value, call);
  return answer.ok ? succeed({ kind: "ours", answer: answer.value }) : answer;
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
): Promise<Outcome<SendAnswer>> {
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
