import { createHmac } from "node:crypto";
import { Courier } from "../deliver";
import type { StripeEvent } from "./account";

interface Settings {
  /** Null: events are kept and not delivered automatically. */
  url: string | null;
  secret: string;
  now: () => number;
  retryDelaysMs: readonly number[];
}

/** Sends signed events to the console and retries until they are accepted. */
export class Webhooks extends Courier {
  /** `stored` keeps events until they are released; `dropped` delivers none. */
  mode: "delivered" | "stored" | "dropped" = "delivered";
  #stored: StripeEvent[] = [];

  constructor(readonly settings: Settings) {
    super();
  }

  /** `Stripe-Signature` for a body, `t=…,v1=…`. */
  sign(body: string, { secret = this.settings.secret, atMs = this.settings.now() } = {}): string {
    const seconds = Math.floor(atMs / 1000);
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    return `t=${seconds},v1=${signature}`;
  }

  announce(event: StripeEvent): void {
    if (this.mode === "stored") this.#stored.push(event);
    else if (this.mode === "delivered" && this.settings.url !== null) void this.#deliver(event);
  }

  /**
   * Delivers the stored events and all later ones.
   * @param options.times the number of deliveries of each event
   * @param options.random shuffles all of these deliveries, like `Math.random`; absent: in their order
   * @param options.atOnce the number of concurrent deliveries
   */
  async release({ times = 1, random, atOnce = 1 }: ReleaseOptions = {}): Promise<void> {
    const waiting = this.#stored.flatMap((event) => Array.from({ length: times }, () => event));
    this.#stored = [];
    this.mode = "delivered";
    if (random) shuffle(waiting, random);
    const lane = async () => {
      for (let event = waiting.shift(); event; event = waiting.shift()) await this.#deliver(event);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  /** Makes one attempt now, without retries; returns its status, or null when there was no answer. */
  async attempt(event: StripeEvent): Promise<number | null> {
    const { url } = this.settings;
    const body = JSON.stringify(event, null, 2);
    const headers = { "Stripe-Signature": this.sign(body), "User-Agent": "Stripe/1.0" };
    return url === null ? null : this.post(url, headers, body);
  }

  #deliver(event: StripeEvent): Promise<void> {
    return this.deliver(this.settings.retryDelaysMs, async () => {
      const status = await this.attempt(event);
      return status !== null && status >= 200 && status < 300;
    });
  }
}

interface ReleaseOptions {
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
