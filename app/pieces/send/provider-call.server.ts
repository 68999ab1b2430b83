import { setTimeout as wait } from "node:timers/promises";
import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/client.server";
import { callProvider, type ProviderResult } from "~/outside/mail-provider/client.server";
import { explainRefusal, readProviderBody } from "~/outside/mail-provider/provider-body.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { log } from "~/platform/log.server";
import type { MailType } from "../mail-type";
import { readVerdict, type Verdict } from "./provider-outcome";

/** One try of live mail: what came back and what it means. */
export type MailResult =
  | { answer: ProviderAnswer; verdict: Verdict; result: null }
  | {
      answer: null;
      verdict: { kind: "never_sent" | "unknown" };
      result: Exclude<ProviderResult, { kind: "answered" }>;
    };

const MAX_REASON_CHARS = 300;

/** Time to book what came of a call. */
export const LEASE_MARGIN_MS = 5_000;

/** How long a send belongs to the process that calls: the call's own limit and time to book it, in ms. */
export function leaseMs(): number {
  return env().providerTimeoutMs + LEASE_MARGIN_MS;
}

/**
 * Calls with one piece of live mail, always with the same bytes. A 429 is not done: it is repeated after the
 * provider's wait while that lies within `STANNP_TIMEOUT_MS` in all (money.md §2). Never throws.
 */
export async function callWithMail(
  call: FrozenCall,
  about: { userId: string; providerPath: string },
): Promise<MailResult> {
  const deadline = performance.now() + env().providerTimeoutMs;
  for (;;) {
    const tried = await tryOnce(call, deadline - performance.now());
    log.info("provider call", {
      ...about,
      method: call.method,
      durationMs: tried.answer?.durationMs ?? tried.result?.durationMs ?? 0,
      ...(tried.answer ? { providerStatus: tried.answer.status } : { reason: tried.result?.kind ?? "" }),
    });
    if (tried.verdict.kind !== "rate_limited") return tried;
    const waitMs = tried.verdict.waitSeconds * 1000;
    if (performance.now() + waitMs >= deadline) return tried;
    await wait(waitMs);
  }
}

async function tryOnce(call: FrozenCall, timeoutMs: number): Promise<MailResult> {
  const result = await callProvider({ ...call, signal: null, timeoutMs: Math.max(1, timeoutMs) });
  if (result.kind !== "answered") {
    return {
      answer: null,
      verdict: { kind: result.kind === "unreachable" ? "never_sent" : "unknown" },
      result,
    };
  }
  const { status, durationMs, text, headers } = result;
  const answer = { status, durationMs, text, headers };
  const verdict = readVerdict({ status, headers, parsed: parseJson(text) });
  return { answer, verdict, result: null };
}

/** "the provider refused this postcard: Recipient not found" */
export function tellRefusal(mailType: MailType, answer: ProviderAnswer | null): string {
  if (answer === null) return `the provider refused this ${mailType}.`;
  const reason = explainRefusal(answer.status, readProviderBody(answer.text)).slice(0, MAX_REASON_CHARS);
  return `the provider refused this ${mailType}: ${reason.replace(/\.?$/, ".")}`;
}
