import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { StripeEvent } from "./account";

/** What became of one attempt to deliver an event; `status` is null when there was no answer. */
export interface Delivery {
  eventId: string;
  type: string;
  status: number | null;
}

interface Settings {
  /** Null: events are kept and never delivered by themselves. */
  url: string | null;
  secret: string;
  now: () => number;
  retryDelaysMs: readonly number[];
}

/** `stored` keeps events until they are released; `dropped` delivers none. */
export type WebhookMode = "delivered" | "stored" | "dropped";

const ANSWER_LIMIT_MS = 10_000;

/** Brings events to the console, signed, and again while it does not take them. */
export class Webhooks {
  readonly deliveries: Delivery[] = [];
  mode: WebhookMode = "delivered";
  #stored: StripeEvent[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #end = new AbortController();

  constructor(readonly settings: Settings) {}

  /** `Stripe-Signature` for a body, `t=…,v1=…`. */
  sign(body: string, { secret = this.settings.secret, atMs = this.settings.now() } = {}): string {
    const seconds = Math.floor(atMs / 1000);
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    return `t=${seconds},v1=${signature}`;
  }

  announce(event: StripeEvent): void {
    if (this.mode === "stored") this.#stored.push(event);
    else if (this.mode === "delivered" && this.settings.url !== null) this.#watch(this.#bring(event));
  }

  /**
   * Delivers what is stored and goes on delivering.
   * @param options.times how often each event is delivered in all
   * @param options.random shuffles all of these deliveries, as `Math.random`; absent: in their order
   * @param options.atOnce how many are on their way at the same time
   */
  async release({ times = 1, random, atOnce = 1 }: ReleaseOptions = {}): Promise<void> {
    const waiting = this.#stored.flatMap((event) => Array.from({ length: times }, () => event));
    this.#stored = [];
    this.mode = "delivered";
    if (random) shuffle(waiting, random);
    const lane = async () => {
      for (let event = waiting.shift(); event; event = waiting.shift()) await this.#watch(this.#bring(event));
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  /** One attempt, now, without repetition; answers its status, or null where there was none. */
  async attempt(event: StripeEvent): Promise<number | null> {
    const status = await this.#post(JSON.stringify(event, null, 2));
    this.deliveries.push({ eventId: event.id, type: event.type, status });
    return status;
  }

  /** Resolves once nothing is on its way, repetitions included. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  stop(): void {
    this.#end.abort();
  }

  async #bring(event: StripeEvent): Promise<void> {
    for (const delayMs of [...this.settings.retryDelaysMs, null]) {
      const status = await this.attempt(event);
      if ((status !== null && status >= 200 && status < 300) || delayMs === null) return;
      const rested = await sleep(delayMs, true, { signal: this.#end.signal, ref: false }).catch(() => false);
      if (!rested) return;
    }
  }

  async #post(body: string): Promise<number | null> {
    const { url } = this.settings;
    if (url === null) return null;
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Stripe-Signature": this.sign(body),
          "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#end.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return null;
    }
  }

  #watch(work: Promise<void>): Promise<void> {
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }
}

export interface ReleaseOptions {
  times?: number;
  random?: () => number;
  atOnce?: number;
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
}
