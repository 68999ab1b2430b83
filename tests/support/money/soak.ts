import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ConsoleProcess } from "../console/console-process";
import { command, type Postgres } from "../database/postgres";
import { createRandom } from "../random";
import { cookieOf } from "./calls";
import { drawModes } from "./modes";
import { Crowd, compareBooks, openStorm } from "./storm";

export interface SoakPlan {
  postgres: Postgres;
  minutes: number;
  /** Requests started per second, independent of earlier answers. */
  rate: number;
  seed: number;
  /** Called once a minute with a line of figures. */
  say(line: string): void;
}

const READS = ["/", "/stored", "/users", "/mail", "/insights", "/api/pieces", "/search?q=lopez", "/healthz"];
/** Share of reads; the other requests are sends and their follow-up calls. */
const READ_SHARE = 0.8;
/** The machine is too slow for the rate when more than this many seconds of load are open. */
const OPEN_SECONDS = 5;
/** Time until a load balancer stops sending requests. */
const BALANCER_MS = 500;
/** A pool of ten for each of two consoles, a health check of each, and the connection that counts. */
const CONNECTIONS_ALLOWED = 24;
const IDLE_ALLOWED_MS = 5_000;
const GROWTH_ALLOWED_MB = 150;
const STOP_WITHIN_MS = 20_000;
const SETTLED_WITHIN_MS = 600_000;
const SAMPLE_MS = 1_000;
const STOP_EVERY_MS = 45_000;
const DATABASE_STOP_EVERY_MS = 150_000;
const COUNT = `
  SELECT count(*)::int AS connections,
    coalesce(max(extract(epoch FROM clock_timestamp() - state_change) * 1000)
      FILTER (WHERE state LIKE 'idle in transaction%'), 0)::float8 AS idle_ms
  FROM pg_stat_activity WHERE datname = current_database()`;

/**
 * Puts a steady load on two consoles while the provider fails half of its answers. One console is stopped and
 * replaced every 45 s, and the database crashes every 150 s. Compares the books at the end.
 */
export async function runSoak({ postgres, minutes, rate, seed, say }: SoakPlan) {
  const random = createRandom(seed);
  const { bench, faults } = await openStorm({ postgres, seed, modes: drawModes(createRandom(seed + 2)) });
  try {
    const steady = await bench.start();
    const places: (ConsoleProcess | null)[] = [steady, await bench.start()];
    const crowd = new Crowd({ places, replace: () => Promise.resolve() }, random);
    const statuses: Record<string, number> = {};
    const times: number[] = [];
    const memory: number[] = [];
    const problems: string[] = [];
    const open = new Set<Promise<void>>();
    /** `skipped` requests were not started, because too many were open. */
    const figures = { requests: 0, skipped: 0, stopped: 0, databaseStops: 0, connections: 0, idleMs: 0 };

    const endsAt = performance.now() + minutes * 60_000;
    /** Repeats an action with a pause before each; the last pause may be cut short. */
    const often = async (everyMs: number, work: () => Promise<void> | void) => {
      for (;;) {
        const dueAt = performance.now() + everyMs;
        while (performance.now() < Math.min(dueAt, endsAt))
          await wait(Math.min(200, Math.max(0, dueAt - performance.now())));
        if (performance.now() >= endsAt) return;
        await work();
      }
    };
    const begin = (number: number) => {
      figures.requests += 1;
      const work = random() < READ_SHARE ? read() : crowd.act(`soak-${number}`);
      open.add(work);
      void work.finally(() => open.delete(work));
    };
    const load = async () => {
      const startedAt = performance.now();
      for (let begun = 0; performance.now() < endsAt; begun++) {
        await wait(Math.max(0, startedAt + (begun * 1_000) / rate - performance.now()));
        if (open.size >= rate * OPEN_SECONDS) figures.skipped += 1;
        else begin(begun);
      }
    };
    const read = async () => {
      const path = READS[Math.floor(random() * READS.length)] ?? "/";
      const up = places.filter((one) => one !== null);
      const { origin } = up[Math.floor(random() * up.length)] ?? {};
      const startedAt = performance.now();
      try {
        const reply = await fetch(`${origin}${path}`, { headers: { Cookie: await cookieOf("ana") } });
        await reply.arrayBuffer();
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
        if (reply.status >= 500 && reply.status !== 503) problems.push(`${reply.status} from ${path}`);
        times.push(Math.round(performance.now() - startedAt));
      } catch (error) {
        problems.push(`no answer from ${path}: ${String((error as Error).cause ?? error)}`);
      }
    };
    const sample = async () => {
      memory.push(readMegabytes(steady));
      // Nothing can be counted while the database is stopped.
      const { rows } = await command(bench.databaseUrl, COUNT).catch(() => ({ rows: [] }));
      const [row] = rows as { connections: number; idle_ms: number }[];
      figures.connections = Math.max(figures.connections, row?.connections ?? 0);
      figures.idleMs = Math.max(figures.idleMs, Math.round(row?.idle_ms ?? 0));
    };
    const restart = async () => {
      const [, old] = places;
      places[1] = null;
      await wait(BALANCER_MS);
      const startedAt = performance.now();
      const code = await old?.stop("SIGTERM");
      const tookMs = Math.round(performance.now() - startedAt);
      if (code !== 0) problems.push(`a console that was stopped ended with ${code}`);
      if (tookMs > STOP_WITHIN_MS) problems.push(`a console took ${tookMs} ms to stop`);
      figures.stopped += 1;
      places[1] = await bench.start();
    };
    const crash = async () => {
      await postgres.stop("immediate");
      await wait(1_000);
      await postgres.start();
      figures.databaseStops += 1;
    };
    const tell = () =>
      say(JSON.stringify({ ...figures, statuses, mb: memory.at(-1), problems: problems.length }));

    await Promise.all([
      load(),
      often(SAMPLE_MS, sample),
      often(STOP_EVERY_MS, restart),
      often(DATABASE_STOP_EVERY_MS, crash),
      often(60_000, tell),
    ]);
    crowd.goHome();
    await Promise.all(open);
    for (const fault of faults) fault.release();
    // The delay before the next recovery attempt is a quarter of the send's age.
    const books = await compareBooks(bench, crowd, SETTLED_WITHIN_MS);
    const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
    const share = (part: number) => sorted(times)[Math.floor(times.length * part)] ?? 0;
    const fifth = Math.floor(memory.length / 5);
    const median = (from: number) => sorted(memory.slice(from, from + fifth))[Math.floor(fifth / 2)] ?? 0;
    const [earlyMb, lateMb] = [median(fifth), median(4 * fifth)];
    const { connections, idleMs } = figures;
    if (lateMb - earlyMb > GROWTH_ALLOWED_MB) problems.push(`memory grew from ${earlyMb} to ${lateMb} MB`);
    if (connections > CONNECTIONS_ALLOWED) problems.push(`${connections} connections at once`);
    if (idleMs > IDLE_ALLOWED_MS) problems.push(`a transaction was idle for ${idleMs} ms`);
    const measured = { p50: share(0.5), p99: share(0.99), earlyMb, lateMb };
    return { ...books, ...figures, ...measured, statuses, problems };
  } finally {
    await bench.close();
  }
}

/** The memory of a process in MB, as Linux reports it. */
function readMegabytes({ pid }: Pick<ConsoleProcess, "pid">): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
