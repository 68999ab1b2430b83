/** Calls in a row without an answer after which a base URL counts as down. */
const FAILURES_TO_OPEN = 5;

/**
 * How a base URL answers recovery. One that does not answer is asked with one piece at a time until it does, so that pieces
 * do not wait for nothing and nothing else waits for them; one whose rate limit is used up is left alone until it ends.
 * `now` is of `performance.now()`: the clock of the machine may be set back by hours.
 */
export class Circuit {
  #failures = 0;
  #restUntil = 0;

  /** How many of `wanted` pieces may be worked on now. */
  room(wanted: number, now = performance.now()): number {
    if (now < this.#restUntil) return 0;
    return this.#failures >= FAILURES_TO_OPEN ? Math.min(1, wanted) : wanted;
  }

  /** Notes what came of a call: `waitSeconds` is what the provider asked to wait for. */
  note(outcome: "answered" | "silent" | { waitSeconds: number }, now = performance.now()): void {
    if (outcome === "silent") this.#failures += 1;
    else this.#failures = 0;
    if (typeof outcome === "object") this.#restUntil = now + outcome.waitSeconds * 1_000;
  }
}

const circuits = new Map<string, Circuit>();

/** The one of a base URL, in this process. */
export function circuitOf(baseUrl: string): Circuit {
  const known = circuits.get(baseUrl);
  if (known) return known;
  const circuit = new Circuit();
  circuits.set(baseUrl, circuit);
  return circuit;
}
