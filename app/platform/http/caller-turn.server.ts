import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import PQueue from "p-queue";
import type { RateKind } from "./default-rates";

/** More than one, so that a slow page does not keep the next; few, so that a flood is no more than two visitors. */
const AT_ONCE = 2;
/** Those mostly wait for the provider. */
const SENDS_AT_ONCE = 10;
const WAITING = 100;
/** Memory for the bodies of one caller that arrive, or wait for their turn. */
const BODY_BYTES = 100 * 1024 * 1024;
/** For a caller with too many requests in line. */
export const LINE_SECONDS = 2;

/** Waits for the turn of a request; false when too many of its caller wait already. */
export type TakeTurn = () => Promise<boolean>;

const queues = new Map<string, PQueue>();
const afterBody = new AsyncLocalStorage<TakeTurn>();

/**
 * Resolves to true when the request may be worked on: two pages, two files and ten sends of each caller at once, the
 * others behind them. The turn ends with the answer. Resolves to false at once when a hundred wait already.
 */
export async function takeCallerTurn(
  kind: RateKind,
  caller: string,
  response: ServerResponse,
): Promise<boolean> {
  if (kind === "webhook") return true;
  const line = kind === "send" || kind === "export" ? kind : "page";
  return (await enter(`${line}:${caller}`, line === "send" ? SENDS_AT_ONCE : AT_ONCE, response)) !== null;
}

/**
 * Resolves to the turn of a request whose body has not arrived yet, which {@link takeTurnAfterBody} takes. Bodies wait in
 * lines of their own, so that a slow sender delays no pages. Resolves to null when a hundred wait already.
 * @param limitBytes the largest body that the route reads
 */
export async function prepareTurn(
  kind: RateKind,
  caller: string,
  limitBytes: number,
  response: ServerResponse,
): Promise<TakeTurn | null> {
  const atOnce = Math.max(AT_ONCE, Math.floor(BODY_BYTES / limitBytes));
  const leave = await enter(`body of ${limitBytes}:${caller}`, atOnce, response);
  if (!leave) return null;
  let turn: Promise<boolean> | undefined;
  return () => {
    turn ??= takeCallerTurn(kind, caller, response).finally(leave);
    return turn;
  };
}

/** Does `work`, in which {@link takeTurnAfterBody} takes this turn. */
export function withTurnAfterBody(takeTurn: TakeTurn, work: () => void): void {
  afterBody.run(takeTurn, work);
}

/** Waits for the turn of the request under way, unless it has it. False when too many of its caller wait already. */
export async function takeTurnAfterBody(): Promise<boolean> {
  return (await afterBody.getStore()?.()) ?? true;
}

/** Resolves to a function that leaves the line, as the end of the answer does; to null when a hundred wait already. */
function enter(line: string, atOnce: number, response: ServerResponse): Promise<(() => void) | null> {
  const queue = openQueue(line, atOnce);
  if (queue.size >= WAITING) return Promise.resolve(null);
  return new Promise((resolve) => {
    void queue.add(
      () =>
        new Promise<void>((leave) => {
          response.once("close", leave);
          if (response.closed) leave();
          resolve(response.closed ? null : leave);
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
