import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import { buildConsole } from "../support/console/console-build";
import { startConsole } from "../support/console/console-process";
import { makeSessionCookie } from "../support/console/session-cookie";
import { command, type Postgres, startPostgres } from "../support/database/postgres";
import { BASE_URL, fillTables } from "./fill";
import { type Call, listRooms } from "./list-calls";
import { findQuantile, printTable } from "./measure";
import { startFloor } from "./processes";

/** Variables of the console and of this process. */
const VARIABLES = {
  STANNP_API_KEY: "bench-key-0000000000000001",
  STANNP_BASE_URLS: `US=${BASE_URL}`,
  STANNP_CURRENCY: "USD",
  RECONCILE_INTERVAL_MS: "0",
};
/** Statements that take PostgreSQL longer than this are printed. */
const SLOW_MS = 20;
/** A row that takes longer is measured fewer times. */
const ROW_LIMIT_MS = 20_000;

interface Plan {
  samples: number;
  only: string;
  floor: string;
}
/** Milliseconds of a row. */
interface Figures {
  sql: number;
  median: number;
  p99: number;
  /** The limit that the 99th percentile exceeds; empty when it does not. */
  over: string;
  /** Ratio of the median to the time of the SQL and the bare app. */
  times: string;
}

/**
 * Measures lists, searches, histories, statistics and background work over a million responses, 200,000 pieces and a
 * million ledger rows, compared with the time of their SQL and a bare Remix app. `--sizes 10000,100000` compares
 * databases of several sizes, `--samples 20` is shorter, `--only mail` measures the rooms and rows with that word.
 * Exits with 1 when a route exceeds the limit of its room.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: "string", default: "1000000" },
      samples: { type: "string", default: "100" },
      only: { type: "string", default: "" },
    },
  });
  Object.assign(process.env, VARIABLES, {
    MAILROOM_SPOOL_DIR: join(tmpdir(), `mailroom-lists-${process.pid}`),
  });
  const sizes = values.sizes.split(",").map(Number);
  const postgres = await startPostgres({ own: true });
  await command(postgres.url, "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  await postgres.stop();
  await postgres.start();
  const floor = await startFloor();
  const plan = { samples: Number(values.samples), only: values.only, floor: floor.origin };
  const columns: Map<string, Figures>[] = [];
  try {
    for (const size of sizes) columns.push(await measureSize(postgres, size, plan));
  } finally {
    await floor.stop();
    await postgres.close();
  }
  if (sizes.length === 1) {
    const rows = [...(columns[0] ?? [])].map(([name, { sql, median, p99, over, times }]) => [
      ...[name, sql.toFixed(1), median.toFixed(1), p99.toFixed(1) + over, times],
    ]);
    return printTable([["ms", "its SQL", "median", "p99", "times SQL and bare"], ...rows]);
  }
  const rows = [...(columns[0]?.keys() ?? [])].map((name) => {
    const medians = columns.map((column) => column.get(name)?.median ?? Number.NaN);
    const growth = (medians.at(-1) ?? 1) / (medians[0] ?? 1);
    return [name, ...[...medians, growth].map((number) => number.toFixed(1))];
  });
  printTable([["median ms", ...sizes.map((size) => size.toLocaleString("en")), "times"], ...rows]);
}

/** Measures every row on a new database of this number of responses. */
async function measureSize(postgres: Postgres, size: number, plan: Plan): Promise<Map<string, Figures>> {
  const url = await postgres.createDatabase();
  const client = new pg.Client({ connectionString: url });
  const served = await startConsole({ ...VARIABLES, DATABASE_URL: url }, await buildConsole());
  const database = openDatabase({ kind: "postgres", url }, { use: "the benchmark", shared: false });
  // The database of the work in this process.
  (globalThis as { mailroomDatabase?: Database }).mailroomDatabase = database;
  const figures = new Map<string, Figures>();
  try {
    await fetch(`${served.origin}/readyz`);
    await client.connect();
    const startedAt = performance.now();
    await fillTables(client, size);
    await client.query("CREATE EXTENSION pg_stat_statements");
    const filled = `Filled ${size.toLocaleString("en")} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
    process.stdout.write(`${filled}; ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}.\n`);
    const cookie = await makeSessionCookie("bench");
    for (const [room, { limitMs, rows }] of Object.entries(await listRooms(client))) {
      for (const [row, toCall] of rows) {
        const name = `${room}: ${row}`;
        if (!name.includes(plan.only)) continue;
        const { ours, theirs, sql } = await measureRow(client, plan, async (n) => {
          const call = toCall(n);
          if (!("path" in call)) await call;
          else await send(served.origin, cookie, call);
          return "path" in call && !call.path.startsWith("/api/") ? "/" : "/healthz";
        });
        const [median, p99] = [findQuantile(ours), findQuantile(ours, 0.99)];
        const over = p99 > limitMs ? ` over ${limitMs}` : "";
        if (over) process.exitCode = 1;
        const times = (median / (sql + findQuantile(theirs))).toFixed(2);
        figures.set(name, { sql, median, p99, over, times });
        process.stdout.write(`measured: ${name}  ${median.toFixed(1)} ms${over}\n`);
      }
    }
    return figures;
  } finally {
    await client.end();
    await database.close();
    await served.stop();
    await command(postgres.url, `DROP DATABASE "${new URL(url).pathname.slice(1)}" WITH (FORCE)`);
  }
}

/**
 * Takes turns with the bare app. Returns the times of each, and PostgreSQL's mean time for a round; prints slow
 * statements.
 * @param work returns the path of the bare app to compare with
 */
async function measureRow(
  client: pg.Client,
  { samples, floor }: Plan,
  work: (n: number) => Promise<string>,
): Promise<{ ours: number[]; theirs: number[]; sql: number }> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  let until = Number.POSITIVE_INFINITY;
  for (let round = -Math.ceil(samples / 10); round < samples && performance.now() < until; round++) {
    if (round === 0) {
      await client.query("SELECT pg_stat_statements_reset()");
      until = performance.now() + ROW_LIMIT_MS;
    }
    const startedAt = performance.now();
    const path = await work(round + samples);
    const doneAt = performance.now();
    await send(floor, "", { path });
    if (round < 0) continue;
    ours.push(doneAt - startedAt);
    theirs.push(performance.now() - doneAt);
  }
  const { rows } = await client.query<{ query: string; total: number; mean: number }>(
    `SELECT query, total_exec_time AS total, mean_exec_time AS mean FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  for (const { query, mean } of rows) {
    if (mean > SLOW_MS) process.stdout.write(`${mean.toFixed(0)} ms: ${query.replace(/\s+/g, " ")}\n`);
  }
  return { ours, theirs, sql: rows.reduce((sum, { total }) => sum + total, 0) / ours.length };
}

/** @throws when the answer is not a success */
async function send(origin: string, cookie: string, { path, query, post }: Call): Promise<string> {
  const reply = await fetch(`${origin}${path}${query ? `?${new URLSearchParams(query)}` : ""}`, {
    method: post ? "POST" : "GET",
    headers: { Cookie: cookie, ...(post ? { "Content-Type": "application/json" } : {}) },
    body: post ? JSON.stringify(post) : null,
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 300)}`);
  return text;
}
