import { callProvider } from "~/outside/mail-provider/client.server";
import type { Viewer } from "~/people/viewer.server";
import { NOTHING_DONE } from "~/platform/body.server";
import { env } from "~/platform/env.server";
import { findHostileValue } from "~/platform/limits";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import {
  createMask,
  describeAnswer,
  describeSent,
  describeSilence,
  type Mask,
  maskPairs,
  type SendAnswer,
} from "./answer.server";
import type { ProbeResponse } from "./envelope";
import { sendMail } from "./mail-send.server";
import { freezeCall, hashCall, type PreparedCall, prepareCall } from "./prepare.server";
import { parseSendInput } from "./send.schema.server";
import { describeUnanswered } from "./unanswered";
import { bookUnaskedMail } from "./unasked-mail.server";

const PROBE_PATH = "__probe__";

/**
 * Sends a caller's request to the provider with the server's key, and tells what came of it (design §5).
 * `viewer` is who is signed in; `signal` is the caller's going away, which ends every call but a live letter
 * or postcard. Fails before anything goes out with `bad_input`, `forbidden`, `not_configured`, and for live
 * mail with `not_found`, `in_progress`, `key_reused` or `database_unavailable`.
 */
export async function sendRequest(
  input: unknown,
  viewer: Viewer,
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
  const prepared = prepareCall(parsed.value);
  if (!prepared.ok) return prepared;
  if (key === null) {
    return fail(
      "not_configured",
      `No server key configured: STANNP_API_KEY must be set in the server's environment. ${NOTHING_DONE}`,
    );
  }
  const call = prepared.value;
  const payerId = parsed.value.userId ?? viewer.id;
  if (call.class.kind === "mail" && call.live) {
    const { mailType, path } = call.class;
    const order = { mailType, path, payerId, idempotencyKey: parsed.value.idempotencyKey };
    return sendMail(call, order, viewer, key);
  }
  return succeed(await sendPlain(call, payerId, viewer, key, signal));
}

/** Everything that is no live mail: one call, nothing to charge. */
async function sendPlain(
  call: PreparedCall,
  payerId: string,
  viewer: Viewer,
  key: string,
  signal: AbortSignal | null,
): Promise<SendAnswer> {
  const frozen = freezeCall(call, null);
  const mask = createMask(key);
  const result = await callProvider({ ...frozen, signal }, key);
  logCall(call, viewer, mask, result);
  const sent = describeSent(frozen, mask);
  if (result.kind !== "answered") {
    const { httpStatus, error, hint } = describeUnanswered(result, call, env().providerTimeoutMs);
    const at = { url: sent.url, sent, durationMs: result.durationMs };
    return describeSilence(httpStatus, error, at, null, { hint });
  }
  const { status, durationMs } = result;
  const answer = { status, durationMs, text: mask(result.text), headers: maskPairs(result.headers, mask) };
  const { class: what, method } = call;
  const asked = { method, path: what.path, live: false };
  if (what.kind !== "mail") return describeAnswer(answer, asked, sent, null);
  const order = { mailType: what.mailType, path: what.path, payerId, requestHash: hashCall(call, payerId) };
  const { credits, remarks } = await bookUnaskedMail(answer, frozen, order, viewer);
  return describeAnswer(answer, asked, sent, credits, remarks);
}

function logCall(
  call: PreparedCall,
  viewer: Viewer,
  mask: Mask,
  result: Awaited<ReturnType<typeof callProvider>>,
): void {
  log.info("provider call", {
    userId: viewer.id,
    method: call.method,
    providerPath: mask(call.class.path),
    durationMs: result.durationMs,
    ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
  });
}
