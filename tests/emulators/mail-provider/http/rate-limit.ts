import { type Behaviour, spellReset } from "../faults/behaviour";

const WINDOW_MS = 60_000;

/** The account's calls per minute, in windows that begin with the first call. */
export class RateLimit {
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(
    private readonly limit: number,
    private readonly now: () => number,
    private readonly behaviour: Behaviour,
  ) {}

  /** Counts one call. @returns false when it exceeds the limit and must not run */
  admit(): boolean {
    this.#renew();
    if (this.#used >= this.limit) return false;
    this.#used += 1;
    return true;
  }

  /** The three headers that every reply carries. */
  describe(): Record<string, string> {
    this.#renew();
    const resetMs = this.#windowStartMs + WINDOW_MS - this.now();
    return {
      "X-RateLimit-Limit": String(this.limit),
      "X-RateLimit-Remaining": String(this.limit - this.#used),
      ...this.describeReset(Math.ceil(resetMs / 1000)),
    };
  }

  /** `X-RateLimit-Reset` in this provider's format. */
  describeReset(seconds: number): Record<string, string> {
    const spelt = spellReset(seconds, this.behaviour, this.now());
    return spelt === null ? {} : { "X-RateLimit-Reset": spelt };
  }

  #renew(): void {
    if (this.now() - this.#windowStartMs < WINDOW_MS) return;
    this.#windowStartMs = this.now();
    this.#used = 0;
  }
}
