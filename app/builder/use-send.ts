import { useCallback, useEffect, useRef, useState } from "react";
import type { ProxyRequest } from "~/sending/envelope";
import { type Answer, readAnswer } from "./answer";

export type Run =
  | { state: "idle" }
  | { state: "loading"; startedAt: number }
  | { state: "done"; answer: Answer };

const STOPPED =
  "Stopped. The request may have reached the provider already; this page does not know its outcome.";
const UNREACHABLE =
  "Network error: the Mailroom server did not answer. This page cannot tell whether the request was sent; look before you send again.";

/** Sends through `POST /api/stannp`: idle, loading, then an answer or an error (spec §4 Request). */
export function useSend(initial: Answer | null) {
  const [run, setRun] = useState<Run>(initial ? { state: "done", answer: initial } : { state: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = useCallback(async (request: ProxyRequest): Promise<Answer> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setRun({ state: "loading", startedAt: Date.now() });
    const answer = await postRequest(request, controller.signal);
    if (running.current === controller) setRun({ state: "done", answer });
    return answer;
  }, []);

  const stop = useCallback(() => running.current?.abort(), []);
  const clear = useCallback(() => {
    running.current = null;
    setRun({ state: "idle" });
  }, []);
  return { run, send, stop, clear };
}

async function postRequest(request: ProxyRequest, signal: AbortSignal): Promise<Answer> {
  try {
    const reply = await fetch("/api/stannp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal,
    });
    return readAnswer(reply.status, await reply.text());
  } catch {
    return { kind: "failed", message: signal.aborted ? STOPPED : UNREACHABLE, response: null };
  }
}
