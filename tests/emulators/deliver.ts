import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const ANSWER_LIMIT_MS = 10_000;

/** Posts events to the console, with retries, until it is stopped. */
export class Courier {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  /** The status of each attempt; null when there was no answer. */
  readonly deliveries: { status: number | null }[] = [];

  constructor() {
    // Allows any number of deliveries to wait for their next attempt.
    setMaxListeners(0, this.#end.signal);
  }

  /** Posts a body once. Returns the status of the answer, or null when there was none. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<number | null> {
    const answered = fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([this.#end.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    });
    const status = await answered
      .then((answer) => answer.arrayBuffer().then(() => answer.status))
      .catch(() => null);
    this.deliveries.push({ status });
    return status;
  }

  /** Repeats an attempt after each delay until it returns true. */
  deliver(retryDelaysMs: readonly number[], attempt: (retries: number) => Promise<boolean>): Promise<void> {
    const work = (async () => {
      for (const [retries, delayMs] of [...retryDelaysMs, null].entries()) {
        if ((await attempt(retries)) || delayMs === null) return;
        const rested = await sleep(delayMs, true, { signal: this.#end.signal, ref: false }).catch(
          () => false,
        );
        if (!rested) return;
      }
    })();
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  /** Resolves when no delivery or retry is in progress. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  stop(): void {
    this.#end.abort();
  }
}
