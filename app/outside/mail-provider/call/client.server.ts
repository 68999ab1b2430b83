import { Agent, type Dispatcher, request } from "undici";
import { env } from "~/platform/env.server";
import { readBytes } from "~/platform/http/body.server";
import { log } from "~/platform/log.server";
import { countProviderCall } from "~/platform/metrics.server";
import { handOverSignal } from "~/platform/stopping.server";
import { traceCall } from "~/platform/traces.server";
import { findKey, MASK, maskHeaders } from "./keys.server";
import type { NoAnswer } from "./no-answer";
import { updatePace } from "./pace.server";
import { type AnswerBody, readAnswer } from "./read-answer.server";

/** A call as it is sent, byte for byte. */
export interface FrozenCall {
  method: string;
  /** Result of `buildUrl`, under an allowed base. */
  url: string;
  /** Result of `filterHeaders`, without the key. */
  headers: Record<string, string>;
  body: string | null;
}

export interface ProviderCall extends FrozenCall {
  /** Aborts the call. The shutdown of this process does, too. */
  signal?: AbortSignal | null;
  /** At most `STANNP_TIMEOUT_MS`, the default. */
  timeoutMs?: number;
  /** Fingerprint of the key to use; absent or null: the current one. */
  keyFingerprint?: string | null;
}

/** An answer of the provider, with our key masked. */
export interface ProviderAnswer extends AnswerBody {
  status: number;
  headers: Record<string, string>;
  durationMs: number;
}

export type ProviderResult = { durationMs: number } & (({ kind: "answered" } & ProviderAnswer) | NoAnswer);

type Ending = "timeout" | "stopped";

/** Longer answers are cut off. */
const ANSWER_LIMIT_BYTES = 60 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS = 128;

/** Errors of a connection that may also occur while a request is sent. */
const NOT_CONNECTED: Record<string, string> = {
  ECONNREFUSED: "it refused the connection",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no network",
  EADDRNOTAVAIL: "no connection could be opened",
};
/** Errors that only occur before the first byte of the request is sent. */
const NEVER_SENT: Record<string, string> = {
  ENOTFOUND: "its name could not be resolved",
  EAI_AGAIN: "its name could not be resolved",
  UND_ERR_CONNECT_TIMEOUT: "it did not take the connection in time",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};
const TIMED_OUT = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

const agent = new Agent({ connections: CONNECTIONS, connect: { timeout: CONNECT_TIMEOUT_MS } });

/** Returns the headers as they are sent, with the key masked. */
export function formatSentHeaders(headers: Record<string, string>): Record<string, string> {
  return { ...addDefaults(headers), authorization: `Basic ${MASK}` };
}

/** Logs a call and its outcome. @param call `providerPath` without a key */
export function logProviderCall(
  call: { userId?: string; method: string; providerPath: string; sendId?: string },
  result: ProviderResult,
): void {
  log.info("provider.called", {
    ...call,
    durationMs: result.durationMs,
    ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
  });
}

/** Calls the provider with our key in HTTP Basic: one attempt, no redirects, at most `STANNP_TIMEOUT_MS`. Never throws. */
export async function callProvider(call: ProviderCall): Promise<ProviderResult> {
  const result = await traceCall(
    `provider ${call.method}`,
    () => makeCall(call),
    (made) => {
      const answered = made.kind === "answered";
      return { status: answered ? made.status : made.kind, failed: !answered || made.status >= 500 };
    },
  );
  const answer = result.kind === "answered" ? result : null;
  countProviderCall(answer?.status ?? result.kind, result.durationMs);
  // A call that we aborted shows nothing about the provider.
  if (result.kind !== "stopped") updatePace(call.url, answer);
  return result;
}

async function makeCall(call: ProviderCall): Promise<ProviderResult> {
  const key = findKey(call.keyFingerprint ?? null);
  if (key === null) return { kind: "unreachable", reason: "this server has no key for it", durationMs: 0 };
  const started = performance.now();
  const controller = new AbortController();
  let ending: Ending | null = null;
  const end = (why: Ending) => {
    ending ??= why;
    controller.abort();
  };
  const stop = () => end("stopped");
  const timer = setTimeout(() => end("timeout"), call.timeoutMs ?? env().providerTimeoutMs);
  const signals = [handOverSignal, ...(call.signal ? [call.signal] : [])];
  for (const signal of signals) signal.addEventListener("abort", stop);
  const measure = () => Math.round(performance.now() - started);
  try {
    if (handOverSignal.aborted)
      return { kind: "unreachable", reason: "this console is stopping", durationMs: 0 };
    if (call.signal?.aborted) return { kind: "unreachable", reason: "it was stopped before", durationMs: 0 };
    const { providerTimeoutMs } = env();
    const answer = await request(call.url, {
      dispatcher: agent,
      headersTimeout: providerTimeoutMs,
      bodyTimeout: providerTimeoutMs,
      method: call.method as Dispatcher.HttpMethod,
      headers: {
        ...addDefaults(call.headers),
        authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
      },
      body: call.body,
      signal: controller.signal,
    });
    const headers = flattenHeaders(answer.headers);
    const bytes = await readBytes(answer.body, ANSWER_LIMIT_BYTES);
    if (bytes === null) return { kind: "too_large", durationMs: measure() };
    const body = await readAnswer(bytes, headers["content-type"]);
    const { statusCode: status } = answer;
    return { kind: "answered", status, headers: maskHeaders(headers), ...body, durationMs: measure() };
  } catch (error) {
    return { ...classifyCallError(error, ending), durationMs: measure() };
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", stop);
  }
}

/** Requests uncompressed answers, so that the size limit applies to their real size. */
function addDefaults(headers: Record<string, string>): Record<string, string> {
  return { accept: "application/json", "user-agent": "Mailroom", ...headers, "accept-encoding": "identity" };
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // The provider's cookies belong to our credential, not to the caller.
    if (value !== undefined && name !== "set-cookie") flat[name] = String(value);
  }
  return flat;
}

/** Exported for its test, because these errors cannot be caused on purpose. */
export function classifyCallError(error: unknown, ending: Ending | null): NoAnswer {
  if (ending !== null) return { kind: ending };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const connecting = error instanceof Error && isConnecting(error);
  const reason =
    NEVER_SENT[code] ?? (connecting ? (NOT_CONNECTED[code] ?? `${code} while connecting`) : undefined);
  if (reason) return { kind: "unreachable", reason };
  return { kind: TIMED_OUT.has(code) ? "timeout" : "cut_off" };
}

/** True for an error while connecting. A host with several addresses has one error for each. */
function isConnecting(error: Error): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((one) => one instanceof Error && isConnecting(one));
  }
  return "syscall" in error && error.syscall === "connect";
}
