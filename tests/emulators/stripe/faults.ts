/** How a call to the API is to go wrong. Rules apply in the order they were added. */
export interface StripeFault {
  /**
   * `status`: that answer, nothing is done. `timeout`: never answers. `reset-before`, `reset-after`: the
   * connection breaks before or after it is done. `hold`: waits until released, then goes on.
   */
  kind: "status" | "timeout" | "reset-before" | "reset-after" | "hold";
  status?: number;
  method?: string;
  /** Of `/v1/…`, without the query. */
  path?: RegExp;
  /** How many calls it meets; default 1. */
  times?: number;
}

export interface StripeFaultHandle {
  readonly hits: number;
  /** Lets the calls go on that it holds; it meets no further one. */
  release(): void;
}

/** A rule at work. */
export class ActiveFault implements StripeFaultHandle {
  hits = 0;
  #over = false;
  #open: () => void = () => {};
  readonly released = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  constructor(readonly rule: StripeFault) {}

  meets(method: string, path: string): boolean {
    const { rule } = this;
    if (this.#over || this.hits >= (rule.times ?? 1)) return false;
    if ((rule.method && rule.method !== method) || (rule.path && path.search(rule.path) < 0)) return false;
    this.hits++;
    return true;
  }

  release(): void {
    this.#over = true;
    this.#open();
  }
}
