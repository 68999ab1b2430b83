import { Pool } from "undici";
import type { MeasuredProcess } from "./measured-process";

/** One request of a load. */
export interface Shot {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What a server did under a load. */
export interface LoadResult {
  /** Milliseconds. */
  p50: number;
  perSecond: number;
  cpuMsPerRequest: number;
}

/** For how long a load lasts: so many milliseconds, or so many requests. */
type Length = { forMs: number; count?: never } | { count: number; forMs?: never };

/**
 * Asks a server on so many connections, each with one request at a time.
 * @param shoot makes the nth request
 * @throws when an answer is none of 200
 */
export async function putLoad(
  server: MeasuredProcess,
  { connections, forMs, count }: { connections: number } & Length,
  shoot: (n: number) => Shot,
): Promise<LoadResult> {
  const pool = new Pool(server.origin, { connections, pipelining: 1 });
  const times: number[] = [];
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  let sent = 0;
  const work = async () => {
    while (count === undefined ? performance.now() - startedAt < forMs : sent < count) {
      const from = performance.now();
      const { statusCode, body } = await pool.request(shoot(sent++));
      const bytes = await body.arrayBuffer();
      if (statusCode !== 200)
        throw new Error(`${statusCode}: ${Buffer.from(bytes).toString().slice(0, 300)}`);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const tookMs = performance.now() - startedAt;
  const cpuMs = (await server.cpuMs()) - cpuBefore;
  await pool.close();
  times.sort((a, b) => a - b);
  return {
    p50: times[Math.floor(times.length / 2)] ?? Number.NaN,
    perSecond: (times.length / tookMs) * 1_000,
    cpuMsPerRequest: cpuMs / times.length,
  };
}

/** The loads of one row in turn, so often, so that what else the machine does is in all of them alike. */
export async function takeTurns(
  rounds: number,
  loads: readonly (() => Promise<LoadResult>)[],
): Promise<LoadResult[]> {
  const results = loads.map(() => [] as LoadResult[]);
  for (let round = 0; round < rounds; round++) {
    for (const [at, load] of loads.entries()) results[at]?.push(await load());
  }
  return results.map((rows) => ({
    p50: findMedian(rows.map((row) => row.p50)),
    perSecond: findMedian(rows.map((row) => row.perSecond)),
    cpuMsPerRequest: findMedian(rows.map((row) => row.cpuMsPerRequest)),
  }));
}

function findMedian(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
