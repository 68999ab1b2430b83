import type { ServerResponse } from "node:http";

/** Which idempotency keys are being asked with now; a caller that is gone asks no more. */
export class OpenKeys {
  /** Every key that came in while another request with it was still open, once per such request. */
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
