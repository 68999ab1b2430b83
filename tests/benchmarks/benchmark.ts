import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Outcome } from "~/platform/outcome";
import { buildConsole } from "../support/console/console-build";
import { type ConsoleProcess, startConsole } from "../support/console/console-process";
import { makeSessionCookie } from "../support/console/session-cookie";
import { startPostgres } from "../support/database/postgres";
import { startFloor } from "./floor";
import { type Timing, takeTimes, writeTable, writeTiming } from "./measure";
import { explainSlow, recordStatements, replay, type Statement } from "./statements";

/** What is measured: the database by itself, and a console that serves the product. */
export interface Measured {
  raw: pg.Client;
  origin: string;
  cookie: string;
}

/** What one does so often, each time with the number of the round. */
type Work = (round: number) => Promise<unknown>;

/** One row of the table. */
export interface Measurement {
  name: string;
  /** The product in this process; null where it is asked by HTTP alone. */
  product: Work | null;
  /** By HTTP, a column each. */
  http: (Work | null)[];
  /** Fewer rounds than the others have. */
  rounds?: number;
  /** Its statements cannot be sent twice. */
  changes?: true;
}

interface Benchmark {
  /** Of the columns by HTTP. One with "page" in it is compared with a bare page of 50 rows, else with a bare route. */
  http: string[];
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

/** What a route may cost, in times of its own SQL and a bare route. */
const MOST_TIMES = 1.5;
/** Rounds whose statements are recorded: parameters differ from one to the next. */
const RECORDED = 6;
const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Fills a PostgreSQL of its own, without fsync as in the tests, measures, and prints a table. `--rows` and `--samples`
 * make it shorter, `--plans` prints the plans of slow statements, and `--embedded` measures the product alone on the
 * embedded database. The process ends with 1 when a route takes longer than it may.
 */
export async function runBenchmark(benchmark: Benchmark): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: "string" },
      samples: { type: "string", default: "200" },
      plans: { type: "boolean", default: false },
      embedded: { type: "boolean", default: false },
    },
  });
  const rows = Number(values.rows ?? benchmark.rows);
  const samples = Number(values.samples);
  if (values.embedded) return measureEmbedded(benchmark, rows, samples);
  const postgres = await startPostgres({ own: true });
  let served: ConsoleProcess | undefined;
  const floor = await startFloor({});
  try {
    const url = await postgres.createDatabase();
    Object.assign(process.env, benchmark.variables, { DATABASE_URL: url });
    const raw = new pg.Client({ connectionString: url });
    const close = await fill(benchmark, raw, rows);
    served = await startConsole({ ...benchmark.variables, DATABASE_URL: url }, await buildConsole());
    const cookie = await makeSessionCookie(benchmark.subject);

    const [load = 0] = loadavg();
    say(
      `${cpus().length} processors, load ${load.toFixed(1)} before measuring: what it adds is in every figure.`,
    );
    const head = benchmark.http.flatMap((name) => [name, "times"]);
    const table = [["ms, median / p99", "its SQL", "product", ...head]];
    const slow: string[] = [];
    const costly: string[] = [];
    const at = { raw, origin: served.origin, cookie };
    const pages = benchmark.http.map((name) => name.includes("page"));
    for await (const measurement of benchmark.measure(at, samples)) {
      const { name } = measurement;
      const { timings, plans } = await measureRow(measurement, { raw, floor: floor.origin, samples });
      const [sql, product, bareRoute, barePage, ...http] = timings;
      const cells = http.flatMap((timing, n) => {
        const bare = pages[n] ? barePage : bareRoute;
        if (!timing || !bare || !sql) return [timing ? writeTiming(timing) : "", ""];
        const times = timing.median / (sql.median + bare.median);
        if (times > MOST_TIMES) costly.push(`${name} (${benchmark.http[n]})`);
        return [writeTiming(timing), times.toFixed(2)];
      });
      const row = [name, ...[sql, product].map((timing) => (timing ? writeTiming(timing) : "")), ...cells];
      table.push(row);
      if (http.some((timing) => timing && timing.p99 > benchmark.limitMs)) slow.push(name);
      say(
        `measured: ${row.join("   ")}   bare ${bareRoute?.median.toFixed(1)}, ${barePage?.median.toFixed(1)}`,
      );
      if (values.plans) for (const plan of plans) say(plan);
    }
    say(`\n${writeTable(table)}\n`);
    for await (const line of benchmark.readFiles(served, cookie)) say(line);
    say(`Over ${MOST_TIMES} times its SQL and a bare route: ${costly.join(", ") || "none"}.`);
    say(`Over ${benchmark.limitMs} ms at p99: ${slow.join(", ") || "none"}.`);
    process.exitCode = slow.length > 0 ? 1 : 0;
    await close();
  } finally {
    await served?.stop();
    await floor.stop();
    await postgres.close();
  }
}

/** Makes the tables and fills them. Returns what closes both ways into the database. */
async function fill(benchmark: Benchmark, raw: pg.Client, rows: number): Promise<() => Promise<void>> {
  const { closeDatabase, withDatabase } = await import("~/platform/database/database.server");
  await withDatabase((db) => db.user.count());
  // When something else went wrong, that is what is to be told, and not that the server was stopped for it.
  raw.on("error", () => undefined);
  await raw.connect();
  say(`Filling ${rows.toLocaleString("en")} rows.`);
  await benchmark.fill(raw, rows, say);
  await raw.query("SET TIME ZONE 'UTC'");
  return async () => {
    await raw.end();
    await closeDatabase();
  };
}

/** In turns, so that what else the machine does is in all columns alike. */
async function measureRow(
  { product, http, changes, rounds }: Measurement,
  { raw, floor, samples }: { raw: pg.Client; floor: string; samples: number },
): Promise<{ timings: (Timing | null)[]; plans: string[] }> {
  const recorded: Statement[][] = [];
  if (product && !changes) {
    for (let n = 0; n < RECORDED; n++) recorded.push(await recordStatements(() => product(n)));
  }
  const ask = (path: string) => async () => (await fetch(floor + path)).text();
  const timings = await takeTimes(rounds ?? samples, [
    recorded.length > 0 ? (n) => replay(raw, recorded[n % RECORDED] ?? []) : null,
    product,
    ask("/healthz"),
    ask("/table"),
    ...http,
  ]);
  return { timings, plans: await explainSlow(raw, recorded[0] ?? []) };
}

async function measureEmbedded(benchmark: Benchmark, rows: number, samples: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-bench-"));
  Object.assign(process.env, benchmark.variables, { DATABASE_URL: `pglite://${folder}` });
  const { findSocketFolder } = await import("~/platform/database/studio-socket.server");
  const raw = new pg.Client({ host: findSocketFolder(folder), user: "postgres", database: "postgres" });
  try {
    const close = await fill(benchmark, raw, rows);
    const table = [["ms, median / p99", "product, embedded"]];
    for await (const { name, product, rounds } of benchmark.measure(
      { raw, origin: "", cookie: "" },
      samples,
    )) {
      const [timing] = await takeTimes(rounds ?? samples, [product]);
      if (timing) table.push([name, writeTiming(timing)]);
    }
    say(`\n${writeTable(table)}`);
    await close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
