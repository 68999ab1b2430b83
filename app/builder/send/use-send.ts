import { useCallback, useEffect, useRef, useState } from "react";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import { type Answer, parseAnswer } from "./answer";
import { postJson } from "./post-json";

/** Makes a call through the proxy, in the page or on the server. Never throws. */
export type Ask = (call: ProxyRequest) => Promise<Answer>;

/** Sends a request through `POST /api/stannp`. Never throws: `unreachable` says that Mailroom did not answer. */
export async function postToProxy(
  request: ProxyRequest,
  unreachable: string,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    const reply = await postJson("/api/stannp", request, signal);
    const answer = parseAnswer(reply.status, await reply.text());
    return answer.kind === "failed" ? { ...answer, requestId: reply.headers.get("X-Request-Id") } : answer;
  } catch {
    return signal?.aborted
      ? { kind: "stopped", response: null }
      : { kind: "failed", message: unreachable, response: null, httpStatus: null };
  }
}

const UNREACHABLE =
  "Network error: Mailroom did not answer. The request may have been sent, so check before you send it again.";
const TEST_UNREACHABLE = "Network error: Mailroom did not answer. A test mails nothing: try again.";
const READ_UNREACHABLE = "Network error: Mailroom did not answer. The request changes nothing: try again.";

/** A send: none yet, in progress, or with its answer. */
export type Run =
  | { state: "idle" }
  | { state: "loading"; call: string; startedAt: number; live: boolean }
  /** `request` is what this page sent; null when the answer came with the page. */
  | { state: "done"; call: string; answer: Answer; request: ProxyRequest | null };

/** "POST postcards/create" */
export function formatCall({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** Finds the answer of a finished run; null when there is none. */
export function findResponse(run: Run): ProxyResponse | null {
  return run.state === "done" ? run.answer.response : null;
}

/** Sends through the proxy. `call` names the request of a run, because the form may hold another one by then. */
export function useSend(initial: { call: string; answer: Answer } | null) {
  const [run, setRun] = useState<Run>(
    initial ? { state: "done", ...initial, request: null } : { state: "idle" },
  );
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (request: ProxyRequest, live: boolean): Promise<Answer> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const call = formatCall(request);
    setRun({ state: "loading", call, startedAt: Date.now(), live });
    const isTest = !live && /^(letters|postcards)\/create/.test(request.path);
    const unreachable = isTest ? TEST_UNREACHABLE : request.method === "GET" ? READ_UNREACHABLE : UNREACHABLE;
    const answer = await postToProxy(request, unreachable, controller.signal);
    if (running.current === controller) setRun({ state: "done", call, answer, request });
    return answer;
  };

  const stop = () => running.current?.abort();
  /** Removes a finished answer. A send in progress continues and can still be stopped. */
  const clear = () => setRun((now) => (now.state === "done" ? { state: "idle" } : now));
  /** Shows the answer to an earlier request, unless another one was sent since. */
  const show = useCallback(
    (call: string, answer: Answer) =>
      setRun((now) => (now.state === "idle" ? { state: "done", call, answer, request: null } : now)),
    [],
  );
  const loading = run.state === "loading";
  return { run, loading, sendingLive: loading && run.live, send, stop, clear, show };
}
