import { isSameCall, PRESETS } from "~/catalogue/presets";
import {
  formatRefusalReason,
  isSuccess,
  type ProviderBody,
  parseProviderBody,
} from "~/outside/mail-provider/call/answer";
import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { findFileType, START_BYTES } from "~/outside/mail-provider/call/file-type";
import { parseResetSeconds } from "~/outside/mail-provider/call/rate-headers";
import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import type { ProxyResponse, SentRequest } from "./answer.schema.server";

export interface SendAnswer {
  /** Our status: 200 when the provider answered, 202 while the outcome of live mail is unknown. */
  httpStatus: number;
  response: Fields;
  /** Start and end of the JSON of `data` in the response's `text`; null: `data` is null. */
  data: readonly [number, number] | null;
}

interface FormattedAnswer extends SendAnswer {
  /** True for a JSON body; undefined when it could not be parsed within its limits. */
  isJson?: boolean;
}

export interface AnsweredCall {
  method: string;
  /** Classified path. */
  path: string;
}

type Fields = Omit<ProxyResponse, "data">;
/** Fields beside the provider's answer; they replace those that are read from it. */
export type Remarks = Partial<Omit<Fields, "status" | "text" | "headers" | "durationMs" | "url" | "request">>;

interface AnswerParts {
  answer: ProviderAnswer;
  contentType: string | undefined;
  call: AnsweredCall;
  sent: SentRequest;
  remarks: Remarks;
}

const NO_ANSWER = {
  status: null,
  text: null,
  error: null,
  durationMs: 0,
  request: null,
  headers: {},
  hint: null,
  credits: null,
};
const LARGE_CHARS = 1024 * 1024;

export const WRITE_ANSWER: HeavyJob<SendAnswer, string> = {
  name: "proxy.write",
  run: writeAnswer,
  isLarge: ({ response }) => (response.text?.length ?? 0) + (response.base64?.length ?? 0) > LARGE_CHARS,
  notDone: "The answer was not written.",
};

export const FORMAT_ANSWER: HeavyJob<AnswerParts, FormattedAnswer> = {
  name: "proxy.answer",
  run: (parts) => {
    const body = parseProviderBody(parts.answer.text);
    const { response, ...answer } = writeProviderAnswer(parts, body);
    // The caller has the text, and copying megabytes back would keep its thread busy.
    return { ...answer, response: { ...response, text: null }, isJson: body.parsed !== undefined };
  },
  isLarge: ({ answer }) => answer.text.length > LARGE_CHARS,
  notDone: "The provider's answer was not read as JSON.",
};

/** Formats the answer to a call that the provider answered. A body that cannot be parsed within its limits is text only. */
export async function formatAnswer(
  answer: ProviderAnswer,
  call: AnsweredCall,
  sent: SentRequest,
  remarks: Remarks = {},
): Promise<FormattedAnswer> {
  const { status, headers, durationMs, text, bytes } = answer;
  const body = { text, ...(bytes ? { base64: Buffer.from(bytes).toString("base64") } : {}) };
  const type = bytes && findFileType(Buffer.from(bytes.subarray(0, START_BYTES)).toString("latin1"));
  const contentType = type ?? headers["content-type"];
  const parts = { answer: { status, headers, durationMs, text }, contentType, call, sent, remarks };
  const written = await doHeavyWork(FORMAT_ANSWER, parts);
  if (written.ok) return { ...written.value, response: { ...written.value.response, ...body } };
  const unread = { text, parsed: undefined, dataText: "null" };
  return writeProviderAnswer({ ...parts, remarks: { ...remarks, error: written.failure.message } }, unread);
}

function writeProviderAnswer(
  { answer, contentType, call, sent, remarks }: AnswerParts,
  body: ProviderBody,
): SendAnswer {
  const { status, headers, durationMs } = answer;
  const success = isSuccess(status, body, contentType);
  const hint = formatHint({ ...call, status, success, headers });
  const error = success ? null : formatRefusalReason(status, body);
  const read = { status, text: body.text, error, durationMs, url: sent.url, request: sent, headers, hint };
  const start = body.text.indexOf(body.dataText);
  return {
    httpStatus: remarks.pending ? 202 : 200,
    response: { ...read, credits: null, ...remarks },
    data: body.parsed === undefined ? null : [start, start + body.dataText.length],
  };
}

/** Builds the answer to a call without an answer of the provider, or to one that was not made (`request` is null). */
export function buildAnswer(httpStatus: number, fields: Pick<Fields, "url"> & Partial<Fields>): SendAnswer {
  return { httpStatus, response: { ...NO_ANSWER, ...fields }, data: null };
}

/** Writes an answer as JSON. The text of the provider's `data` is copied, never serialised again. */
export function writeAnswer(answer: SendAnswer): string {
  return `{"data":${findDataText(answer)},${JSON.stringify(answer.response).slice(1)}`;
}

function findDataText({ response, data }: SendAnswer): string {
  return data === null ? "null" : (response.text ?? "").slice(...data);
}

/** Parses the `data` of an answer, for a page that is rendered on the server. */
export function toProxyResponse(answer: SendAnswer): ProxyResponse {
  return { ...answer.response, data: JSON.parse(findDataText(answer)) };
}

const HINT_REPLAY =
  "The provider already handled this request and returned its first answer; nothing was done twice.";
const HINT_REDIRECT =
  "Redirects are never followed, because the key would go with them. Choose another base URL or path.";
const HINT_PROVIDER_DOWN = "The provider has a problem of its own. Try again in a moment.";
const HINT_UNLISTED = "This call is not in the provider's public reference, so this account may not have it.";
const HINT_NOT_FOUND = "Check the path, and that this ID exists in the account.";
const HINT_BY_STATUS: Readonly<Record<number, string>> = {
  401: "The provider does not accept the server's key. Check STANNP_API_KEY, and that the base URL matches the key's region.",
  402: "The provider's account is out of funds; your credits are not affected. Top it up there, then send again.",
  403: "The provider account's plan or the key's rights do not cover this call.",
  413: "The request is too large for the provider. Reduce image sizes or content.",
};

interface HintCase extends AnsweredCall {
  status: number;
  success: boolean;
  /** The provider's, names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** Formats the next step in one sentence; null when there is none. */
export function formatHint(answer: HintCase): string | null {
  const { status, success } = answer;
  if (success) return status === 409 ? HINT_REPLAY : null;
  if (status === 404) return formatNotFound(answer);
  if (status === 429) {
    const seconds = parseResetSeconds(answer.headers);
    return `The provider's rate limit is used up and nothing was done. Try again in ${seconds === null ? "a minute" : `${seconds} s`}.`;
  }
  if (status >= 300 && status < 400) return HINT_REDIRECT;
  if (status >= 500) return HINT_PROVIDER_DOWN;
  return HINT_BY_STATUS[status] ?? null;
}

function formatNotFound({ method, path }: HintCase): string {
  const preset = PRESETS.find((candidate) => isSameCall(candidate, method, path));
  const documented = preset?.reference.documented;
  if (documented && documented.path !== preset?.path) {
    return `The provider documents this as ${documented.method} ${documented.path}: switch to the documented path.`;
  }
  return preset?.reference.status === "unlisted" ? HINT_UNLISTED : HINT_NOT_FOUND;
}
