import type { ServerResponse } from "node:http";
import PQueue from "p-queue";
import type { RateKind } from "./default-rates";

/** More than one, so that a slow page does not keep the next; few, so that a flood is no more than two visitors. */
const AT_ONCE = 2;
/** Those mostly wait for the provider. */
const SENDS_AT_ONCE = 10;
const WAITING = 100;

const queues = new Map<string, PQueue>();

/**
 * Resolves to true when the request may be worked on: two pages, two files and ten sends of each caller at once, the
 * others behind them. The turn ends with the answer. Resolves to false at once when a hundred wait already.
 */
export function takeCallerTurn(kind: RateKind, caller: string, response: ServerResponse): Promise<boolean> {
  if (kind === "webhook") return Promise.resolve(true);
  const line = kind === "send" || kind === "export" ? kind : "page";
  const queue = openQueue(`${line}:${caller}`, line === "send" ? SENDS_AT_ONCE : AT_ONCE);
  if (queue.size >= WAITING) return Promise.resolve(false);
  return new Promise((resolve) => {
    void queue.add(
      () =>
        new Promise<void>((end) => {
          // Nobody waits for it any more.
          if (response.closed) return end();
          response.once("close", end);
          resolve(true);
        }),
    );
  });
}

function openQueue(key: string, concurrency: number): PQueue {
  const known = queues.get(key);
  if (known) return known;
  const made = new PQueue({ concurrency });
  made.on("idle", () => queues.delete(key));
  queues.set(key, made);
  return made;
}
