import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import {
  formatRefusalReason,
  isSuccess,
  type ProviderBody,
  parseProviderBody,
} from "~/outside/mail-provider/call/provider-body.server";
import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { formatHint } from "./hint.server";
import type { CreditOutcome, ProxyResponse, SentRequest } from "./proxy-types";

/** What `POST /api/stannp` answers. */
export interface SendAnswer {
  /** Ours: 200 whenever the provider answered, 202 while the outcome of live mail is unknown. */
  httpStatus: number;
  /** Why it is no success, and the next step; as in `jsonText`. */
  error: string | null;
  hint: string | null;
  /** A `ProxyResponse` as JSON; for `__probe__` a `ProbeResponse`. */
  jsonText: string;
}

/** Our answer to a call that the provider answered. */
interface FormattedAnswer extends SendAnswer {
  /** Whether the provider's body is JSON; undefined where it could not be read. */
  isJson?: boolean;
}

/** What the answer depends on. */
export interface AnsweredCall {
  method: string;
  /** As classified. */
  path: string;
}

type Rest = Omit<ProxyResponse, "data">;
/** Fields of our answer that do not come from the provider's; they replace those that do. */
export type Remarks = Partial<Omit<Rest, "status" | "text" | "headers" | "durationMs" | "url" | "request">>;

interface ToldAnswer {
  answer: ProviderAnswer;
  call: AnsweredCall;
  sent: SentRequest;
  credits: CreditOutcome | null;
  remarks: Remarks;
}

const LARGE_CHARS = 1024 * 1024;

export const FORMAT_ANSWER: HeavyJob<ToldAnswer, FormattedAnswer> = {
  name: "proxy.answer",
  run: (told) => {
    const body = parseProviderBody(told.answer.text);
    return { ...writeProviderAnswer(told, body), isJson: body.parsed !== undefined };
  },
  isLarge: ({ answer }) => answer.text.length > LARGE_CHARS,
  notDone: "The provider's answer was not read as JSON.",
};

/** Our answer to a call that the provider answered. One that cannot be parsed within its limits is told as text alone. */
export async function formatAnswer(
  answer: ProviderAnswer,
  call: AnsweredCall,
  sent: SentRequest,
  credits: CreditOutcome | null,
  remarks: Remarks = {},
): Promise<FormattedAnswer> {
  const { status, headers, durationMs, text } = answer;
  const told = { answer: { status, headers, durationMs, text }, call, sent, credits, remarks };
  const written = await doHeavyWork(FORMAT_ANSWER, told);
  if (written.ok) return written.value;
  const unread = { text, parsed: undefined, dataText: "null" };
  return writeProviderAnswer({ ...told, remarks: { ...remarks, error: written.failure.message } }, unread);
}

function writeProviderAnswer(
  { answer, call, sent, credits, remarks }: ToldAnswer,
  body: ProviderBody,
): SendAnswer {
  const { status, headers, durationMs } = answer;
  const success = isSuccess(status, body, headers["content-type"]);
  const hint = formatHint({ ...call, status, success, headers });
  const error = success ? null : formatRefusalReason(status, body);
  const rest = { status, text: body.text, error, durationMs, url: sent.url, request: sent, headers, hint };
  return buildAnswer(remarks.pending ? 202 : 200, { ...rest, credits, ...remarks }, body.dataText);
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
  return buildAnswer(httpStatus, { ...rest, credits, ...remarks }, "null");
}

function buildAnswer(httpStatus: number, rest: Rest, dataText: string): SendAnswer {
  const { error, hint } = rest;
  return { httpStatus, error, hint, jsonText: writeAnswer(rest, dataText) };
}

/** The answer as JSON text. `dataText` is inserted as it is, never serialised again. */
export function writeAnswer(rest: Rest, dataText: string): string {
  return `{"data":${dataText},${JSON.stringify(rest).slice(1)}`;
}
