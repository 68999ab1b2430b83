import {
  type FrozenCall,
  formatSentHeaders,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/call/client.server";
import { maskHeaders, maskKey } from "~/outside/mail-provider/call/keys.server";
import { formatNoAnswer, type NoAnswer } from "~/outside/mail-provider/call/no-answer";
import { dropCredentials } from "~/outside/mail-provider/call/wire.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/outcome";
import {
  buildAutoResponse,
  type CallToSave,
  deriveResponseId,
  toSavedCall,
} from "~/responses/save/auto-save.server";
import { saveAutoResponse, saveInBackground } from "~/responses/save/save-in-background.server";
import type { SentRequest } from "./answer.schema.server";
import {
  type AnsweredCall,
  buildAnswer,
  formatAnswer,
  type Remarks,
  type SendAnswer,
} from "./format-answer.server";
import type { CallClass } from "./live-mail-rule";
import type { PreparedCall } from "./prepare-call.server";
import type { SendInput } from "./send-request.schema.server";

export interface AnswerToSave extends CallToSave {
  idempotencyKey: string | null;
  userId: string;
}

/** Plans the stored response of a call; null when the caller wants none or there is no database. */
export function planSaving(input: SendInput, prepared: PreparedCall, userId: string): AnswerToSave | null {
  if (!input.save || env().database.kind === "none") return null;
  // Does not fail: `prepareCall` has refused a query that cannot be searched.
  const query = dropCredentials(input.query);
  const request = {
    base: prepared.baseLabel,
    method: prepared.method,
    path: prepared.class.path,
    query: query.ok ? (query.value as Record<string, string>) : {},
    headers: prepared.passedHeaders,
    body: prepared.body ?? null,
  };
  const { presetId, tags, idempotencyKey } = input;
  return { request, presetId, tags, idempotencyKey, userId };
}

interface Answered {
  call: AnsweredCall;
  frozen: FrozenCall;
  answer: ProviderAnswer;
  remarks: Remarks;
}

/**
 * Formats the answer to a call that is not live mail, and saves it in the background. The stored response of a test that was
 * mailed has the piece's ID.
 */
export async function formatAndSave(
  { call, frozen, answer, remarks }: Answered,
  saving: AnswerToSave | null,
  viewer: Viewer,
): Promise<SendAnswer> {
  const sent = formatSentRequest(frozen);
  if (saving === null) return formatAnswer(answer, call, sent, remarks);
  const { userId, idempotencyKey } = saving;
  const sendId = remarks.send_id ?? null;
  const id = sendId ?? deriveResponseId(viewer.id, userId, idempotencyKey, answer);
  const formatted = await formatAnswer(answer, call, sent, { ...remarks, response_id: id });
  saveInBackground(
    answer.text.length + (answer.bytes?.length ?? 0) + (frozen.body?.length ?? 0),
    async () => {
      const saved = await toSavedCall(saving);
      const meta = { id, userId, actorId: viewer.actorId, sendId };
      const response = buildAutoResponse(meta, saved, { ...answer, isJson: formatted.isJson });
      return saveAutoResponse(response, viewer);
    },
  );
  return formatted;
}

interface UnansweredCall {
  method: string;
  kind: CallClass["kind"];
}

/** Explains a call without an answer: what was and was not done, and the next step. */
export function formatUnanswered(ending: NoAnswer, call: UnansweredCall, timeoutMs: number) {
  if (ending.kind === "unreachable") {
    const error = `The provider could not be reached: ${ending.reason}. ${NOTHING_DONE}`;
    const hint = "Try again in a moment. If it still fails, check the base URL and this server's network.";
    return { httpStatus: 502, error, hint };
  }
  const happened = formatNoAnswer(ending, timeoutMs);
  return {
    httpStatus: ending.kind === "timeout" ? 504 : 502,
    error: `${happened} ${formatEffect(call)}`,
    hint: ending.kind === "too_large" ? "Ask for less at once, with limit and offset." : null,
  };
}

/** Formats the answer of `POST /api/stannp` to an unanswered call that is not live mail. */
export function formatUnansweredCall(
  result: Exclude<ProviderResult, { kind: "answered" }>,
  frozen: FrozenCall,
  call: UnansweredCall,
): SendAnswer {
  const request = formatSentRequest(frozen);
  const { httpStatus, ...why } = formatUnanswered(result, call, env().providerTimeoutMs);
  return buildAnswer(httpStatus, { url: request.url, request, durationMs: result.durationMs, ...why });
}

function formatEffect({ method, kind }: UnansweredCall): string {
  if (method === "GET") return "Nothing was changed and nothing was charged.";
  return kind === "mail" || kind === "sample"
    ? "This was a test: nothing was mailed and nothing was charged."
    : "The provider may still have carried it out; nothing was charged.";
}

const MAX_ECHO_CHARS = 256 * 1024;

export function formatSentRequest({ method, url, headers, body }: FrozenCall): SentRequest {
  return {
    method,
    url: maskKey(url),
    headers: maskHeaders(formatSentHeaders(headers)),
    body: body === null ? null : cutEcho(body),
  };
}

/** Masks the key before it cuts the body, so that no half of a key remains at the end. */
function cutEcho(body: string): string {
  const masked = maskKey(body);
  if (masked.length <= MAX_ECHO_CHARS) return masked;
  return `${masked.slice(0, MAX_ECHO_CHARS)}\n[cut here: ${masked.length} characters were sent]`;
}
