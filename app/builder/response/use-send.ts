import { useCallback, useEffect, useRef, useState } from "react";
import type { ProxyRequest } from "~/sending/proxy-types";
import { type Answer, parseAnswer } from "./answer";

export type Run =
  | { state: "idle" }
  | { state: "loading"; about: string; startedAt: number }
  /** `request` is what this page sent; null where the answer came with the page. */
  | { state: "done"; about: string; answer: Answer; request: ProxyRequest | null };

const UNREACHABLE =
  "Network error: the Mailroom server did not answer. This page cannot tell whether the request was sent; look before you send again.";

/**
 * Sends through `POST /api/stannp`: idle, loading, then an answer or an error (spec §4 Request). `about` says
 * which request a run is of, because the page may show another one by then.
 */
export function useSend(initial: { about: string; answer: Answer } | null) {
  const [run, setRun] = useState<Run>(
    initial ? { state: "done", ...initial, request: null } : { state: "idle" },
  );
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = useCallback(async (request: ProxyRequest): Promise<Answer> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const about = `${request.method} ${request.path}`;
    setRun({ state: "loading", about, startedAt: Date.now() });
    const answer = await postRequest(request, controller.signal);
    if (running.current === controller) setRun({ state: "done", about, answer, request });
    return answer;
  }, []);

  const stop = useCallback(() => running.current?.abort(), []);
  /** Takes a finished answer away; a run under way goes on, and can still be stopped. */
  const clear = useCallback(() => setRun((now) => (now.state === "done" ? { state: "idle" } : now)), []);
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
    return parseAnswer(reply.status, await reply.text());
  } catch {
    return signal.aborted
      ? { kind: "stopped" }
      : { kind: "failed", message: UNREACHABLE, response: null, httpStatus: null };
  }
}
