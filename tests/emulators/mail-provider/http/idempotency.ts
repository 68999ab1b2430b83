import type { ServerResponse } from "node:http";
import type { Behaviour } from "../faults/behaviour";
import { DAY_MS } from "./dates";
import { readText } from "./fields";
import { type Reply, refuse } from "./reply";
import type { ReceivedRequest } from "./request";

/** The idempotency key of a request in either documented form, the body's first; null when it has none. */
export function findKey({ method, body, headers }: ReceivedRequest): string | null {
  if (method !== "POST") return null;
  return (body && readText(body, "idempotency_key")) || headers["x-idempotency-key"] || null;
}

interface Remembered {
  fingerprint: string;
  atMs: number;
  reply: Promise<Reply>;
}

/** The requests of the last 24 hours by key. */
export class IdempotencyMemory {
  readonly #calls = new Map<string, Remembered>();

  constructor(
    private readonly now: () => number,
    private readonly behaviour: Behaviour,
  ) {}

  /**
   * Runs the operation once per key: an identical request gets the original body with HTTP 409, also while the
   * first one is still running. A different request with the same key gets 422, and a refused operation frees its
   * key; both are undocumented and our choice.
   * @param fingerprint equal for identical requests only
   */
  async runOnce(key: string, fingerprint: string, operate: () => Promise<Reply>): Promise<Reply> {
    const earlier = this.#calls.get(key);
    const { replay } = this.behaviour;
    if (replay === "200, another answer") return operate();
    if (earlier && this.now() - earlier.atMs < DAY_MS) {
      if (this.behaviour.idempotency === "request" && earlier.fingerprint !== fingerprint) {
        return refuse(422, "This idempotency key was used with a different request");
      }
      const original = await earlier.reply;
      if (isSuccess(original)) return { ...original, status: Number.parseInt(replay, 10) };
      // The earlier request was refused without effect: this one counts as the first.
      if (this.#calls.get(key) === earlier) this.#calls.delete(key);
      return this.runOnce(key, fingerprint, operate);
    }
    const call: Remembered = { fingerprint, atMs: this.now(), reply: operate() };
    this.#calls.set(key, call);
    const reply = await call.reply;
    if (!isSuccess(reply) && this.#calls.get(key) === call) this.#calls.delete(key);
    return reply;
  }
}

function isSuccess(reply: Reply): boolean {
  return reply.status === 200 && reply.body.toString().startsWith('{"success":true');
}

/** Idempotency keys of open requests; a caller that has disconnected holds none. */
export class OpenKeys {
  /** Every key that arrived while another request with it was still open, once per such request. */
  readonly overlapping: string[] = [];
  readonly #open = new Map<string, number>();

  enter(key: string, response: ServerResponse): void {
    const others = this.#open.get(key) ?? 0;
    if (others > 0) this.overlapping.push(key);
    this.#open.set(key, others + 1);
    response.once("close", () => {
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    });
  }

  forget(): void {
    this.overlapping.length = 0;
    this.#open.clear();
  }
}
