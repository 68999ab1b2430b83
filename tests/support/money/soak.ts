import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ConsoleProcess } from "../console/console-process";
import { command, type Postgres } from "../database/postgres";
import { createRandom } from "../random";
import { cookieOf } from "./calls";
import { drawModes } from "./modes";
import { Crowd, compareBooks, openStorm, pick } from "./storm";

interface SoakPlan {
  postgres: Postgres;
  minutes: number;
  /** Requests started per second, independent of earlier answers. */
  rate: number;
  seed: number;
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
export async function runSoak({ postgres, minutes, rate, seed }: SoakPlan) {
  const random = createRandom(seed);
  const { bench, faults } = await openStorm({ postgres, seed, modes: drawModes(createRandom(seed + 2)) });
  try {
    const steady = await bench.start();
    const places: (ConsoleProcess | null)[] = [steady, await bench.start()];
    const crowd = new Crowd({ places, replace: () => Promise.resolve() }, random);
    const memory: number[] = [];
    const problems: string[] = [];
    const open = new Set<Promise<void>>();
    /** `skipped` requests were not started, because too many were open. */
    const figures = { requests: 0, skipped: 0, stopped: 0, databaseStops: 0, connections: 0, idleMs: 0 };

    const signal = AbortSignal.timeout(minutes * 60_000);
    /** Repeats an action with a pause before each. */
    const often = async (everyMs: number, work: () => Promise<void> | void) => {
      while (await wait(everyMs, true, { signal }).catch(() => false)) await work();
    };
    const begin = () => {
      if (open.size >= rate * OPEN_SECONDS) {
        figures.skipped += 1;
        return;
      }
      const work = random() < READ_SHARE ? read() : crowd.act(`soak-${figures.requests}`);
      figures.requests += 1;
      open.add(work);
      void work.finally(() => open.delete(work));
    };
    const read = async () => {
      const path = pick(READS, random);
      const up = places.filter((one) => one !== null);
      try {
        const reply = await fetch(`${pick(up, random).origin}${path}`, {
          headers: { Cookie: await cookieOf("ana") },
        });
        await reply.arrayBuffer();
        if (reply.status >= 500 && reply.status !== 503) problems.push(`${reply.status} from ${path}`);
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

    await Promise.all([
      often(1_000 / rate, begin),
      often(SAMPLE_MS, sample),
      often(STOP_EVERY_MS, restart),
      often(DATABASE_STOP_EVERY_MS, crash),
    ]);
    crowd.stop();
    await Promise.all(open);
    for (const fault of faults) fault.release();
    // The delay before the next recovery attempt is a quarter of the send's age.
    const books = await compareBooks(bench, crowd, SETTLED_WITHIN_MS);
    const fifth = Math.floor(memory.length / 5);
    const median = (from: number) =>
      memory.slice(from, from + fifth).toSorted((a, b) => a - b)[Math.floor(fifth / 2)] ?? 0;
    const [earlyMb, lateMb] = [median(fifth), median(4 * fifth)];
    const { connections, idleMs } = figures;
    if (lateMb - earlyMb > GROWTH_ALLOWED_MB) problems.push(`memory grew from ${earlyMb} to ${lateMb} MB`);
    if (connections > CONNECTIONS_ALLOWED) problems.push(`${connections} connections at once`);
    if (idleMs > IDLE_ALLOWED_MS) problems.push(`a transaction was idle for ${idleMs} ms`);
    return { ...books, ...figures, earlyMb, lateMb, problems };
  } finally {
    await bench.close();
  }
}

/** The memory of a process in MB, as Linux reports it; 0 on other systems. */
function readMegabytes({ pid }: Pick<ConsoleProcess, "pid">): number {
  const status = `/proc/${pid}/status`;
  const text = existsSync(status) ? readFileSync(status, "utf8") : "";
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024);
}
