/**
 * Remix gives the error screen for a page's data that the gate refuses because there are too many requests (429) or the
 * process is too busy (503), and what was typed is gone. Nothing was done then, so such a request waits and is sent again.
 */

const BUSY = [429, 503];
const LONGEST_WAIT_SECONDS = 60;

/** A request that waits. */
interface Waiting {
  /** When it is sent again, in ms since 1970. */
  until: number;
  sendNow: () => void;
}

const waiting = new Set<Waiting>();
const listeners = new Set<() => void>();
let soonest: Waiting | null = null;

function changed(): void {
  soonest = [...waiting].sort((a, b) => a.until - b.until)[0] ?? null;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`: tells of each change of {@link getWaiting}. */
export function subscribeWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The request that is sent again next; null while none waits. */
export function getWaiting(): Waiting | null {
  return soonest;
}

/** Sends all that waits at once. */
export function sendWaitingNow(): void {
  for (const one of [...waiting]) one.sendNow();
}

/** `fetch`, by which requests for a page's data outlast a busy server. */
export function makePatient(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    for (;;) {
      const answer = await send(input, init);
      const seconds = findWait(input, answer);
      if (seconds === null) return answer;
      await waitFor(seconds, init?.signal ?? null);
    }
  };
}

/** Seconds until the request may be sent again; null: this is its answer. An answer of Remix itself is one, whatever its status. */
function findWait(input: RequestInfo | URL, answer: Response): number | null {
  if (!BUSY.includes(answer.status) || answer.headers.has("X-Remix-Response")) return null;
  if (typeof input === "object" && "body" in input) return null;
  if (!new URL(String(input), "http://page").pathname.endsWith(".data")) return null;
  const seconds = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(1, seconds), LONGEST_WAIT_SECONDS) : null;
}

function waitFor(seconds: number, signal: AbortSignal | null): Promise<void> {
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
    const one = { until: Date.now() + seconds * 1_000, sendNow };
    const timer = setTimeout(sendNow, seconds * 1_000);
    if (signal?.aborted) return leave();
    signal?.addEventListener("abort", leave);
    waiting.add(one);
    changed();
  });
}
