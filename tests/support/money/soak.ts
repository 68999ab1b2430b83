import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ConsoleProcess } from "../console/console-process";
import { command, type Postgres } from "../database/postgres";
import { createRandom, type Random } from "../random";
import { ALL_WELL, type Audit } from "./audit";
import { type MoneyBench, openBench } from "./bench";
import { cookieOf } from "./calls";
import { drawModes } from "./modes";
import { findBrokenCancels, findBrokenPromises } from "./promises";
import { Crowd, PURSES, spoilAnswers } from "./storm";

export interface SoakPlan {
  postgres: Postgres;
  minutes: number;
  /** Requests that are begun in each second, whether or not earlier ones are answered. */
  rate: number;
  seed: number;
  /** Told how it stands, once a minute. */
  tell(line: string): void;
}

export interface SoakFigures extends Audit {
  seed: number;
  /** Begun, and those not begun because too many were open: the machine does not carry the rate. */
  requests: number;
  skipped: number;
  statuses: Record<string, number>;
  /** Of pages and lists, in ms. */
  p50: number;
  p99: number;
  /** Times a console was told to stop under load. */
  stopped: number;
  databaseStops: number;
  mostConnections: number;
  longestIdleMs: number;
  /** Of the console that lives from the beginning to the end, in MB: after its first minutes, and at the end. */
  memory: { early: number; late: number };
  /** What must not be, a line each. */
  problems: string[];
}

const READS = ["/", "/stored", "/users", "/mail", "/insights", "/api/pieces", "/search?q=lopez", "/healthz"];
/** The rest are sends, with what belongs to them. */
const READ_SHARE = 0.8;
/** What is open for longer than so many seconds of load is more than the machine carries. */
const OPEN_SECONDS = 5;
/** Until a balancer sends nothing more. */
const BALANCER_MS = 500;
/** A pool of ten for each of two consoles, one look of each pool whether the server answers, and the one that counts. */
const CONNECTIONS_ALLOWED = 24;
const IDLE_ALLOWED_MS = 5_000;
const GROWTH_ALLOWED_MB = 150;
const STOP_WITHIN_MS = 20_000;
const SETTLED_WITHIN_MS = 600_000;
const SAMPLE_MS = 1_000;
const STOP_EVERY_MS = 45_000;
const DATABASE_STOP_EVERY_MS = 150_000;

/**
 * Two consoles on one PostgreSQL under a steady load, with a provider that fails half of its answers: one of them is told
 * to stop again and again and started anew, and now and then the database is stopped. Afterwards the books are compared.
 */
export async function runSoak({ postgres, minutes, rate, seed, tell }: SoakPlan): Promise<SoakFigures> {
  const random = createRandom(seed);
  const bench = await openBench({ postgres, provider: { random: createRandom(seed + 1) } });
  bench.provider.behave(drawModes(createRandom(seed + 2)));
  try {
    for (const [purse, credits] of Object.entries(PURSES)) await bench.grant(purse, credits);
    const faults = spoilAnswers(bench);
    const steady = await bench.start();
    const places: (ConsoleProcess | null)[] = [steady, await bench.start()];
    const crowd = new Crowd({ places, replace: () => Promise.resolve() }, random);
    const watch = new Watch(bench, steady);
    const load = new Load(places, crowd, random, watch);
    const endsAt = performance.now() + minutes * 60_000;
    const isOver = () => performance.now() >= endsAt;
    await Promise.all([
      load.run(rate, isOver),
      watch.run(isOver),
      restartOften(bench, places, watch, isOver),
      stopDatabaseSometimes(postgres, watch, isOver),
      tellOften(() => tell(`${load.describe()}; ${watch.describe()}`), isOver),
    ]);
    crowd.goHome();
    await load.end();
    for (const fault of faults) fault.release();
    // What stayed open for half an hour waits for a quarter of its age.
    await bench.settle(SETTLED_WITHIN_MS);
    const audit = await bench.audit();
    const lies = await bench.inBooks(async (db) => [
      ...(await findBrokenPromises(db, bench.provider, crowd.told)),
      ...(await findBrokenCancels(db, crowd.cancels)),
    ]);
    const wrong = (Object.keys(ALL_WELL) as (keyof typeof ALL_WELL)[]).flatMap((what) => [...audit[what]]);
    const { early, late } = watch.memory();
    if (late - early > GROWTH_ALLOWED_MB) watch.problems.push(`memory grew from ${early} to ${late} MB`);
    const times = load.times.toSorted((a, b) => a - b);
    const share = (part: number) => times[Math.floor(times.length * part)] ?? 0;
    return {
      ...audit,
      seed,
      requests: load.requests,
      skipped: load.skipped,
      statuses: load.statuses,
      p50: share(0.5),
      p99: share(0.99),
      stopped: watch.stopped,
      databaseStops: watch.databaseStops,
      mostConnections: watch.mostConnections,
      longestIdleMs: watch.longestIdleMs,
      memory: { early, late },
      problems: [...watch.problems, ...wrong, ...lies],
    };
  } finally {
    await bench.close();
  }
}

/** Requests at a steady rate. */
class Load {
  requests = 0;
  skipped = 0;
  readonly statuses: Record<string, number> = {};
  readonly times: number[] = [];
  readonly #open = new Set<Promise<void>>();

  constructor(
    private readonly places: readonly (ConsoleProcess | null)[],
    private readonly crowd: Crowd,
    private readonly random: Random,
    private readonly watch: Watch,
  ) {}

  async run(rate: number, isOver: () => boolean): Promise<void> {
    const startedAt = performance.now();
    for (let begun = 0; !isOver(); begun++) {
      await wait(Math.max(0, startedAt + (begun * 1_000) / rate - performance.now()));
      if (this.#open.size >= rate * OPEN_SECONDS) this.skipped += 1;
      else this.#begin(begun);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#open);
  }

  describe(): string {
    return `${this.requests} requests, ${this.skipped} skipped, ${this.#open.size} open, ${JSON.stringify(this.statuses)}`;
  }

  #begin(number: number): void {
    this.requests += 1;
    const work = this.random() < READ_SHARE ? this.#read() : this.crowd.act(`soak-${number}`);
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  async #read(): Promise<void> {
    const path = READS[Math.floor(this.random() * READS.length)] ?? "/";
    const up = this.places.filter((one) => one !== null);
    const { origin } = up[Math.floor(this.random() * up.length)] ?? {};
    const startedAt = performance.now();
    try {
      const reply = await fetch(`${origin}${path}`, { headers: { Cookie: await cookieOf("ana") } });
      await reply.arrayBuffer();
      this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
      if (reply.status >= 500 && reply.status !== 503) {
        this.watch.problems.push(`${reply.status} from ${path}`);
      }
      this.times.push(Math.round(performance.now() - startedAt));
    } catch (error) {
      this.watch.problems.push(`no answer from ${path}: ${String((error as Error).cause ?? error)}`);
    }
  }
}

/** What is seen from outside meanwhile. */
class Watch {
  mostConnections = 0;
  longestIdleMs = 0;
  stopped = 0;
  databaseStops = 0;
  readonly problems: string[] = [];
  readonly #memory: number[] = [];

  constructor(
    private readonly bench: MoneyBench,
    private readonly steady: ConsoleProcess,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await wait(SAMPLE_MS);
      this.#memory.push(findMemory(this.steady.pid));
      // While the database is stopped there is nothing to count.
      const { rows } = await command(this.bench.databaseUrl, COUNT).catch(() => ({ rows: [] }));
      const [row] = rows as { connections: number; idle_ms: number }[];
      if (!row) continue;
      this.mostConnections = Math.max(this.mostConnections, row.connections);
      this.longestIdleMs = Math.max(this.longestIdleMs, Math.round(row.idle_ms));
    }
    if (this.mostConnections > CONNECTIONS_ALLOWED)
      this.problems.push(`${this.mostConnections} connections at once`);
    if (this.longestIdleMs > IDLE_ALLOWED_MS)
      this.problems.push(`a transaction was idle for ${this.longestIdleMs} ms`);
  }

  /** The medians of the second fifth and of the last. */
  memory(): { early: number; late: number } {
    const fifth = Math.floor(this.#memory.length / 5);
    const median = (from: number) =>
      this.#memory.slice(from, from + fifth).toSorted((a, b) => a - b)[Math.floor(fifth / 2)] ?? 0;
    return { early: median(fifth), late: median(4 * fifth) };
  }

  describe(): string {
    return `${this.mostConnections} connections, idle ${this.longestIdleMs} ms, ${this.#memory.at(-1)} MB, ${this.stopped} stops, ${this.problems.length} problems`;
  }
}

const COUNT = `
  SELECT count(*)::int AS connections,
    coalesce(max(extract(epoch FROM clock_timestamp() - state_change) * 1000)
      FILTER (WHERE state LIKE 'idle in transaction%'), 0)::float8 AS idle_ms
  FROM pg_stat_activity WHERE datname = current_database()`;

/** What a process has in memory, in MB. */
function findMemory(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kb) / 1024);
}

/** The second console is told to stop while requests are open, and another one takes its place. */
async function restartOften(
  bench: MoneyBench,
  places: (ConsoleProcess | null)[],
  watch: Watch,
  isOver: () => boolean,
): Promise<void> {
  while (await rest(STOP_EVERY_MS, isOver)) {
    const [, old] = places;
    places[1] = null;
    await wait(BALANCER_MS);
    const startedAt = performance.now();
    const code = await old?.stop("SIGTERM");
    const tookMs = Math.round(performance.now() - startedAt);
    if (code !== 0) watch.problems.push(`a console that was told to stop ended with ${code}`);
    if (tookMs > STOP_WITHIN_MS) watch.problems.push(`a console took ${tookMs} ms to stop`);
    watch.stopped += 1;
    places[1] = await bench.start();
  }
}

async function stopDatabaseSometimes(postgres: Postgres, watch: Watch, isOver: () => boolean): Promise<void> {
  while (await rest(DATABASE_STOP_EVERY_MS, isOver)) {
    await postgres.stop("immediate");
    await wait(1_000);
    await postgres.start();
    watch.databaseStops += 1;
  }
}

async function tellOften(tell: () => void, isOver: () => boolean): Promise<void> {
  while (await rest(60_000, isOver)) tell();
}

/** Waits so long; false when the end came first. */
async function rest(ms: number, isOver: () => boolean): Promise<boolean> {
  const until = performance.now() + ms;
  while (performance.now() < until && !isOver()) await wait(200);
  return !isOver();
}
