import { callProvider, describeHeaders, type ProviderResult } from "~/outside/mail-provider/client.server";
import { maskSecret } from "~/outside/mail-provider/mask.server";
import { NOTHING_DONE } from "~/platform/body.server";
import { env } from "~/platform/env.server";
import { findHostileValue } from "~/platform/limits";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { CreditOutcome, ProbeResponse, ProxyResponse } from "./envelope";
import { explainRefusal, isSuccess, readProviderBody, writeAnswer } from "./envelope.server";
import { findHint } from "./hint.server";
import { type PreparedCall, prepareCall } from "./prepare.server";
import { parseSendInput } from "./send.schema.server";
import { describeUnanswered } from "./unanswered";

/** What `POST /api/stannp` answers. */
export interface SendAnswer {
  /** Ours (design §5): 200 whenever the provider answered. */
  httpStatus: number;
  /** A `ProxyResponse` as JSON; for `__probe__` a `ProbeResponse`. */
  jsonText: string;
}

const PROBE_PATH = "__probe__";
const MAX_ECHO_CHARS = 256 * 1024;

/**
 * Sends a caller's request to the provider with the server's key, and tells what came of it (design §5).
 * `viewer` is who is signed in; `signal` is the caller's going away, which ends every call but a live letter
 * or postcard. Fails with `bad_input`, `forbidden` or `not_configured` before anything goes out.
 */
export async function sendRequest(
  input: unknown,
  viewer: { id: string },
  signal: AbortSignal | null = null,
): Promise<Outcome<SendAnswer>> {
  const hostile = findHostileValue(input);
  if (hostile !== null) return fail("bad_input", `${hostile} ${NOTHING_DONE}`);
  const parsed = parseSendInput(input);
  if (!parsed.ok) return parsed;
  const key = env().providerKey;
  if (parsed.value.path === PROBE_PATH) {
    const probe: ProbeResponse = { hasServerKey: key !== null };
    return succeed({ httpStatus: 200, jsonText: JSON.stringify(probe) });
  }
  const prepared = prepareCall(parsed.value, viewer);
  if (!prepared.ok) return prepared;
  if (key === null) {
    return fail(
      "not_configured",
      `No server key configured: STANNP_API_KEY must be set in the server's environment. ${NOTHING_DONE}`,
    );
  }
  const call = prepared.value;
  const result = await callProvider({ ...call, signal: call.live ? null : signal }, key);
  const mask = (text: string) => maskSecret(text, key);
  log.info("provider call", {
    userId: viewer.id,
    method: call.method,
    providerPath: mask(call.class.path),
    durationMs: result.durationMs,
    ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
  });
  const shared = {
    durationMs: result.durationMs,
    ...describeSent(call, mask),
    credits: describeCredits(call, mask(parsed.value.userId ?? viewer.id)),
  };
  return succeed(describeResult(result, call, shared, mask));
}

type Mask = (text: string) => string;
type Shared = Pick<ProxyResponse, "durationMs" | "url" | "request" | "credits">;

function describeResult(result: ProviderResult, call: PreparedCall, shared: Shared, mask: Mask): SendAnswer {
  if (result.kind !== "answered") {
    const { httpStatus, error, hint, pending } = describeUnanswered(result, call, env().providerTimeoutMs);
    const rest = { status: null, text: null, error, ...shared, headers: {}, hint };
    return { httpStatus, jsonText: writeAnswer(pending ? { ...rest, pending } : rest, "null") };
  }
  const { status } = result;
  const body = readProviderBody(mask(result.text));
  const headers = maskPairs(result.headers, mask);
  const success = isSuccess(status, body, headers["content-type"]);
  const hint = findHint({
    method: call.method,
    path: call.class.path,
    live: call.live,
    status,
    success,
    readable: body.parsed !== undefined,
    headers,
  });
  const error = success ? null : explainRefusal(status, body);
  const rest = { status, text: body.text, error, ...shared, headers, hint };
  return { httpStatus: 200, jsonText: writeAnswer(rest, body.dataText) };
}

function describeSent(call: PreparedCall, mask: Mask): Pick<ProxyResponse, "url" | "request"> {
  const url = mask(call.url);
  const body = call.body === null ? null : cutEcho(call.body, mask);
  return {
    url,
    request: { method: call.method, url, headers: maskPairs(describeHeaders(call.headers), mask), body },
  };
}

/** Masked before it is cut, so that no half of a secret is left at the end. */
function cutEcho(body: string, mask: Mask): string {
  const masked = mask(body);
  if (masked.length <= MAX_ECHO_CHARS) return masked;
  return `${masked.slice(0, MAX_ECHO_CHARS)}\n[cut here: ${masked.length} characters went out]`;
}

function maskPairs(pairs: Record<string, string>, mask: Mask): Record<string, string> {
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [mask(name), mask(value)]));
}

function describeCredits(call: PreparedCall, userId: string): CreditOutcome | null {
  if (call.class.kind !== "mail" || !call.live) return null;
  return {
    success: false,
    mailType: call.class.mailType,
    creditsDeducted: 0,
    newBalance: null,
    userId,
    error: "Credits are not tracked by this server yet, so none were deducted.",
  };
}
