import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Outcome } from "~/platform/outcome";
import { buildConsole } from "../support/console/console-build";
import { type ConsoleProcess, startConsole } from "../support/console/console-process";
import { makeSessionCookie, SESSION_SECRET } from "../support/console/session-cookie";
import { startPostgres } from "../support/database/postgres";
import { type Timing, writeTable, writeTiming } from "./measure";

/** What is measured: the database by itself, the product in this process, and a console that serves it. */
export interface Measured {
  raw: pg.Client;
  origin: string;
  cookie: string;
}

export interface Measurement {
  name: string;
  /** Raw SQL, product, then by HTTP; null where there is no such thing. */
  timings: readonly [raw: Timing | null, product: Timing | null, ...http: (Timing | null)[]];
}

interface Benchmark {
  /** Of the table's columns: what is measured, raw SQL, product, then by HTTP. */
  head: string[];
  /** Rows to fill, where `--rows` says nothing. */
  rows: number;
  /** What a route may take at p99. */
  limitMs: number;
  /** Of the console, and of the product in this process. */
  variables: Record<string, string>;
  /** Who is signed in: `auth-<subject>`. */
  subject: string;
  /** Fills an empty database whose tables are there. @param say is told how far it is */
  fill(client: pg.Client, rows: number, say: (line: string) => void): Promise<void>;
  measure(at: Measured, samples: number): AsyncGenerator<Measurement>;
  /** Files that are read whole after that, each told in a line. */
  readFiles(served: ConsoleProcess, cookie: string): AsyncGenerator<string>;
}

const HTTP_COLUMN = 2;

/**
 * Fills a PostgreSQL of its own, without fsync as in the tests, measures, and prints a table. `--rows` and `--samples`
 * make it shorter. The process ends with 1 when a route takes longer than it may.
 */
export async function runBenchmark(benchmark: Benchmark): Promise<void> {
  const { values } = parseArgs({
    options: { rows: { type: "string" }, samples: { type: "string", default: "200" } },
  });
  const rows = Number(values.rows ?? benchmark.rows);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const postgres = await startPostgres({ own: true });
  let served: ConsoleProcess | undefined;
  try {
    const url = await postgres.createDatabase();
    Object.assign(process.env, benchmark.variables, { DATABASE_URL: url });
    const { closeDatabase, withDatabase } = await import("~/platform/database/database.server");
    await withDatabase((db) => db.user.count());
    const raw = new pg.Client({ connectionString: url });
    // When something else went wrong, that is what is to be told, and not that the server was stopped for it.
    raw.on("error", () => undefined);
    await raw.connect();
    say(`Filling ${rows.toLocaleString("en")} rows.`);
    await benchmark.fill(raw, rows, say);
    await raw.query("SET TIME ZONE 'UTC'");
    served = await startConsole(
      { SESSION_SECRET, ...benchmark.variables, DATABASE_URL: url },
      await buildConsole(),
    );
    const cookie = await makeSessionCookie(benchmark.subject);

    const [load = 0] = loadavg();
    say(
      `${cpus().length} processors, load ${load.toFixed(1)} before measuring: what it adds is in every figure.`,
    );
    const table = [benchmark.head];
    const slow: string[] = [];
    const at = { raw, origin: served.origin, cookie };
    for await (const { name, timings } of benchmark.measure(at, Number(values.samples))) {
      const row = [name, ...timings.map((timing) => (timing ? writeTiming(timing) : ""))];
      table.push(row);
      if (timings.slice(HTTP_COLUMN).some((timing) => timing !== null && timing.p99 > benchmark.limitMs)) {
        slow.push(name);
      }
      say(`measured: ${row.join("   ")}`);
    }
    say(`\n${writeTable(table)}\n`);
    for await (const line of benchmark.readFiles(served, cookie)) say(line);
    say(
      slow.length > 0
        ? `Over ${benchmark.limitMs} ms at p99: ${slow.join(", ")}.`
        : `No route over ${benchmark.limitMs} ms at p99.`,
    );
    process.exitCode = slow.length > 0 ? 1 : 0;
    await raw.end();
    await closeDatabase();
  } finally {
    await served?.stop();
    await postgres.close();
  }
}

/** What an address of the console answers. @throws when it is no success */
export async function call(
  { origin, cookie }: Measured,
  path: string,
  init: RequestInit = {},
): Promise<string> {
  const reply = await fetch(origin + path, { ...init, headers: { Cookie: cookie, ...init.headers } });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 300)}`);
  return text;
}

export function expectOk<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}
