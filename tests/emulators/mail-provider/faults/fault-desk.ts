import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRule } from "./fault-rule";

/** Thrown when the emulator was reset or closed while a request waited: the request is dropped without effect. */
export class Abandoned extends Error {}

export interface FaultHandle {
  /** Continues every request that the rule holds and disables the rule. */
  release(): void;
  /** Number of requests that the rule has matched so far. */
  readonly hits: number;
}

/** A rule in effect, for one request. */
export class ActiveFault implements FaultHandle {
  hits = 0;
  #open: () => void = () => {};
  readonly released = new Promise<void>((resolve) => {
    this.#open = resolve;
  });
  isReleased = false;

  constructor(readonly fault: FaultRule) {}

  applies(method: string, path: string): boolean {
    const { fault } = this;
    const spent = fault.times !== "always" && this.hits >= (fault.times ?? 1);
    if (this.isReleased || spent) return false;
    if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
    if (fault.path instanceof RegExp) return path.search(fault.path) >= 0;
    return fault.path === undefined || new RegExp(`^(?:${fault.path})$`).test(path);
  }

  release(): void {
    this.isReleased = true;
    this.#open();
  }
}

/** The planned faults that are not used up. */
export class FaultDesk {
  #active: ActiveFault[] = [];
  #abandon = newAbandon();

  /** @param random for rules with a chance, like `Math.random` */
  constructor(private readonly random: () => number) {}

  add(rule: FaultRule): FaultHandle {
    const active = new ActiveFault(rule);
    this.#active.push(active);
    return active;
  }

  /** The fault for this request, which counts as one of the rule's times. */
  take(method: string, path: string): ActiveFault | null {
    const active = this.#active.find(
      (candidate) => candidate.applies(method, path) && this.random() < (candidate.fault.chance ?? 1),
    );
    if (!active) return null;
    active.hits += 1;
    return active;
  }

  /** Removes all rules and drops the requests that wait. */
  clear(): void {
    this.#active = [];
    this.#abandon.abort();
    this.#abandon = newAbandon();
  }

  /** Waits if the fault applies at this moment. @throws Abandoned */
  async waitAt(moment: "before" | "after", active: ActiveFault | null): Promise<void> {
    const fault = active?.fault;
    if (!active || (fault?.kind !== "slow" && fault?.kind !== "hold")) return;
    if ((fault.moment ?? "before") !== moment) return;
    const { signal } = this.#abandon;
    if (fault.kind === "hold") await Promise.race([active.released, rejectWhenAborted(signal)]);
    else {
      await sleep(fault.delayMs, undefined, { signal }).catch(() => {
        throw new Abandoned();
      });
    }
  }
}

/** Allows any number of requests to wait for its signal. */
function newAbandon(): AbortController {
  const abandon = new AbortController();
  setMaxListeners(0, abandon.signal);
  return abandon;
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Abandoned()), { once: true });
  });
}
