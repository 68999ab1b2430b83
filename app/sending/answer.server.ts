import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/client.server";
import { formatSentHeaders } from "~/outside/mail-provider/client.server";
import { maskHeaders, maskKey } from "~/outside/mail-provider/mask.server";
import {
  formatRefusalReason,
  isSuccess,
  parseProviderBody,
} from "~/outside/mail-provider/provider-body.server";
import { formatHint } from "./hint.server";
import type { CreditOutcome, ProxyResponse, SentRequest } from "./proxy-types";

/** What `POST /api/stannp` answers. */
export interface SendAnswer {
  /** Ours: 200 whenever the provider answered, 202 while the outcome of live mail is unknown. */
  httpStatus: number;
  /** A `ProxyResponse` as JSON; for `__probe__` a `ProbeResponse`. */
  jsonText: string;
}

/** What the answer depends on. */
export interface AnsweredCall {
  method: string;
  /** As classified. */
  path: string;
  live: boolean;
}

type Rest = Omit<ProxyResponse, "data">;
/** Fields of our answer that do not come from the provider's; they replace those that do. */
export type Remarks = Partial<Omit<Rest, "status" | "text" | "headers" | "durationMs" | "url" | "request">>;

const MAX_ECHO_CHARS = 256 * 1024;

/** Our answer to a call that the provider answered. */
export function formatAnswer(
  answer: ProviderAnswer,
  call: AnsweredCall,
  sent: SentRequest,
  credits: CreditOutcome | null,
  remarks: Remarks = {},
): SendAnswer {
  const { status, headers, durationMs } = answer;
  const body = parseProviderBody(answer.text);
  const success = isSuccess(status, body, headers["content-type"]);
  const hint = formatHint({ ...call, status, success, readable: body.parsed !== undefined, headers });
  const error = success ? null : formatRefusalReason(status, body);
  const rest = { status, text: body.text, error, durationMs, url: sent.url, request: sent, headers, hint };
  return {
    httpStatus: remarks.pending ? 202 : 200,
    jsonText: writeAnswer({ ...rest, credits, ...remarks }, body.dataText),
  };
}

/** Our answer to a call without an answer, or that was not made (`sent` is null then). */
export function formatNoResponse(
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

/** The request as it was sent, without our key. */
export function formatSentRequest(call: FrozenCall): SentRequest {
  return {
    method: call.method,
    url: maskKey(call.url),
    headers: maskHeaders(formatSentHeaders(call.headers)),
    body: call.body === null ? null : cutEcho(call.body),
  };
}

/** The key is masked before the body is cut, so that no half of it is left at the end. */
function cutEcho(body: string): string {
  const masked = maskKey(body);
  if (masked.length <= MAX_ECHO_CHARS) return masked;
  return `${masked.slice(0, MAX_ECHO_CHARS)}\n[cut here: ${masked.length} characters were sent]`;
}

/** The answer as JSON text. `dataText` is inserted as it is, never serialised again. */
export function writeAnswer(rest: Omit<ProxyResponse, "data">, dataText: string): string {
  return `{"data":${dataText},${JSON.stringify(rest).slice(1)}`;
}
