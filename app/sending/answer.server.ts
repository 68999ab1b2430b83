import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/client.server";
import { describeHeaders } from "~/outside/mail-provider/client.server";
import { maskHeaders, maskKey } from "~/outside/mail-provider/mask.server";
import { explainRefusal, isSuccess, readProviderBody } from "~/outside/mail-provider/provider-body.server";
import { findHint } from "./hint.server";
import type { CreditOutcome, ProxyResponse, SentRequest } from "./proxy-types";

/** What `POST /api/stannp` answers. */
export interface SendAnswer {
  /** Ours (design §5): 200 whenever the provider answered. */
  httpStatus: number;
  /** A `ProxyResponse` as JSON; for `__probe__` a `ProbeResponse`. */
  jsonText: string;
}

/** A call as far as its answer is told by it. */
export interface AnsweredCall {
  method: string;
  /** As classified. */
  path: string;
  live: boolean;
}

type Rest = Omit<ProxyResponse, "data">;
/** What is told beside the answer, and in place of what would be said of it. */
export type Remarks = Partial<Omit<Rest, "status" | "text" | "headers" | "durationMs" | "url" | "request">>;

const MAX_ECHO_CHARS = 256 * 1024;

/** Tells what the provider answered; `remarks` win over what the answer alone would say. */
export function describeAnswer(
  answer: ProviderAnswer,
  call: AnsweredCall,
  sent: SentRequest,
  credits: CreditOutcome | null,
  remarks: Remarks = {},
): SendAnswer {
  const { status, headers, durationMs } = answer;
  const body = readProviderBody(answer.text);
  const success = isSuccess(status, body, headers["content-type"]);
  const hint = findHint({ ...call, status, success, readable: body.parsed !== undefined, headers });
  const error = success ? null : explainRefusal(status, body);
  const rest = { status, text: body.text, error, durationMs, url: sent.url, request: sent, headers, hint };
  return {
    httpStatus: remarks.pending ? 202 : 200,
    jsonText: writeAnswer({ ...rest, credits, ...remarks }, body.dataText),
  };
}

/** Tells of a call that brought no answer, or was not made: then `sent` is null. */
export function describeSilence(
  httpStatus: number,
  error: string,
  at: { url: string; sent: SentRequest | null; durationMs: number },
  credits: CreditOutcome | null,
  remarks: Remarks = {},
): SendAnswer {
  const { url, sent, durationMs } = at;
  const rest = { status: null, text: null, error, durationMs, url, request: sent, headers: {}, hint: null };
  return { httpStatus, jsonText: writeAnswer({ ...rest, credits, ...remarks }, "null") };
}

/** The request as it went out, with secrets masked. */
export function describeSent(call: FrozenCall): SentRequest {
  return {
    method: call.method,
    url: maskKey(call.url),
    headers: maskHeaders(describeHeaders(call.headers)),
    body: call.body === null ? null : cutEcho(call.body),
  };
}

/** Masked before it is cut, so that no half of a secret is left at the end. */
function cutEcho(body: string): string {
  const masked = maskKey(body);
  if (masked.length <= MAX_ECHO_CHARS) return masked;
  return `${masked.slice(0, MAX_ECHO_CHARS)}\n[cut here: ${masked.length} characters went out]`;
}

/** The answer as JSON text; `dataText` goes in as it stands. */
export function writeAnswer(rest: Omit<ProxyResponse, "data">, dataText: string): string {
  return `{"data":${dataText},${JSON.stringify(rest).slice(1)}`;
}
