/**
 * Handles page data requests that the page did not answer: the network fails, a proxy answers, or the gate refuses (429,
 * 503). Remix would show the error screen and lose what was typed. Reads and requests that the gate refuses are retried. A
 * posted form is reported and never sent again automatically.
 */

/** An HTTP answer that does not come from the page. */
export type ForeignAnswer = { status: number; text: string };

/** A request that waits to be retried. */
export interface Waiting {
  /** True when the server refused it because of its load. */
  busy: boolean;
  /** Null when the server was not reached, or is busy. */
  answer: ForeignAnswer | null;
  /** Time of the retry, in ms since 1970; null: on request only. */
  until: number | null;
  sendNow: () => void;
}

/** A posted form without an answer. */
export interface Unanswered {
  intent: string | null;
  answer: ForeignAnswer | null;
  /** True when nothing can have been changed. */
  unchanged: boolean;
}

const BUSY = [429, 503];
const LONGEST_WAIT_SECONDS = 60;
/** Pause between retries of the page's own data. */
const RETRY_SECONDS = 10;
/** Remix's encoding of an action that returned null. The status prevents a reload, so that forms keep their values. */
const NO_ANSWER = { body: '[{"_1":-5},"data"]\n', init: { status: 503 } };

const waiting = new Set<Waiting>();
const listeners = new Set<() => void>();
let next: Waiting | null = null;
let unanswered: Unanswered | null = null;

function changed(): void {
  const [first] = [...waiting].sort((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
  next = first ?? null;
  for (const listener of listeners) listener();
}

/** Reports changes of {@link getWaiting} and {@link getUnanswered} to `useSyncExternalStore`. */
export function subscribeRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the request that is retried next; null for none. */
export function getWaiting(): Waiting | null {
  return next;
}

/** Returns the unanswered form, until a form is answered or another page is opened. */
export function getUnanswered(): Unanswered | null {
  return unanswered;
}

export function setUnanswered(form: Unanswered | null): void {
  if (unanswered === form) return;
  unanswered = form;
  changed();
}

export function sendWaitingNow(): void {
  for (const one of [...waiting]) one.sendNow();
}

/** Creates a `fetch` whose page data requests survive a busy server and a lost network. */
export function makePageFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (!isPageData(input)) return send(input, init);
    const posts = init?.method !== undefined && init.method !== "GET";
    for (;;) {
      const wasOffline = !navigator.onLine;
      const answer = await send(input, init).catch((error: unknown) => {
        if (init?.signal?.aborted) throw error;
        return null;
      });
      if (answer?.headers.has("X-Remix-Response")) {
        if (posts || !isThisPage(input)) setUnanswered(null);
        return answer;
      }
      const busySeconds = answer && findWait(answer);
      if (busySeconds !== null) {
        await waitFor({ busy: true, answer: null }, busySeconds, init?.signal ?? null);
        continue;
      }
      const foreign = answer && { status: answer.status, text: await answer.text().catch(() => "") };
      if (posts) {
        const refused = foreign !== null && foreign.status >= 400 && foreign.status < 500;
        const unchanged = refused || (answer === null && wasOffline);
        setUnanswered({ intent: findIntent(init?.body), answer: foreign, unchanged });
        return new Response(NO_ANSWER.body, NO_ANSWER.init);
      }
      const seconds = isThisPage(input) ? RETRY_SECONDS : null;
      await waitFor({ busy: false, answer: foreign }, seconds, init?.signal ?? null);
    }
  };
}

function isPageData(input: RequestInfo | URL): boolean {
  if (typeof input === "object" && "body" in input) return false;
  return new URL(String(input), "http://page").pathname.endsWith(".data");
}

/** True for this page's data, which is retried automatically. Another page is not, because a person may be typing here. */
function isThisPage(input: RequestInfo | URL): boolean {
  const { pathname } = new URL(String(input), "http://page");
  return pathname.replace(/^\/_root\.data$/, "/").replace(/\.data$/, "") === window.location.pathname;
}

function findIntent(body: BodyInit | null | undefined): string | null {
  const form = body instanceof FormData || body instanceof URLSearchParams ? body.get("intent") : null;
  return typeof form === "string" ? form : null;
}

/** Returns the seconds until the gate accepts the request; null for other answers. */
function findWait(answer: Response): number | null {
  if (!BUSY.includes(answer.status)) return null;
  const seconds = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(1, seconds), LONGEST_WAIT_SECONDS) : null;
}

function waitFor(
  why: Pick<Waiting, "busy" | "answer">,
  seconds: number | null,
  signal: AbortSignal | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      waiting.delete(one);
      changed();
    };
    const sendNow = () => {
      end();
      resolve();
    };
    const leave = () => {
      end();
      reject(signal?.reason);
    };
    const until = seconds === null ? null : Date.now() + seconds * 1_000;
    const one = { ...why, until, sendNow };
    const timer = seconds === null ? undefined : setTimeout(sendNow, seconds * 1_000);
    if (signal?.aborted) return leave();
    signal?.addEventListener("abort", leave);
    waiting.add(one);
    changed();
  });
}
