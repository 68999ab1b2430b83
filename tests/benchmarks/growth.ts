import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { markDuplicates } from "~/bulk/rows/mark-duplicates.server";
import { loadCreditsView } from "~/credits/credits-view.server";
import { search } from "~/find/search.server";
import { loadInsightsView } from "~/insights/load-insights.server";
import { loadMailView } from "~/mail/mail-view.server";
import type { Viewer } from "~/people/viewer.server";
import { erasePieces, findExpiredPieces } from "~/pieces/erase-pieces.server";
import { closeDatabase, openDatabase, withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";
import { formatCursor } from "~/platform/page-cursor";
import { erasePerson, loadPersonData } from "~/privacy/erase-person.server";
import { reconcile } from "~/reconciliation/reconcile.server";
import { expireSomeBodies } from "~/responses/erase-bodies.server";
import { loadStats } from "~/responses/stats/stats.server";
import { loadStoredView } from "~/responses/tab/stored-view.server";
import type { PrismaClient } from "../../prisma/client/client";
import { command, startPostgres } from "../support/database/postgres";
import { BASE_URL, fillTables, RARE_WORD } from "./fill";
import { findQuantile, printTable } from "./measure";

const LIST_ROWS = 50_000;
const PAGE_ROWS = 50;
const DAY_MS = 86_400_000;
/** Work that takes longer is done fewer times. */
const LIMIT_MS = 5_000;
const VIEWER: Viewer = {
  ...{ id: "auth-bench", subject: "bench", actorId: "auth-bench", displayName: "bench" },
  ...{ email: null, emailVerified: false, picture: null, signedInAt: null, scopes: ["admin"], token: null },
};

/** Does the nth round. Fails or throws when it did not do all of it. */
type Work = (n: number) => Promise<unknown>;

/**
 * Measures what the pages load, a person's data, retention and erasure at several sizes of the database, without the time of HTTP and
 * React, which does not grow. `--sizes 10000,100000 --samples 5` is shorter; filling ten million responses takes half an hour.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: "string", default: "10000,100000,1000000,10000000" },
      samples: { type: "string", default: "10" },
      // Set for the process that measures one size.
      measure: { type: "boolean", default: false },
    },
  });
  if (values.measure) return printTimes(Number(values.samples));
  const sizes = values.sizes.split(",").map(Number);
  const columns: Map<string, number>[] = [];
  const postgres = await startPostgres({ own: true });
  try {
    for (const size of sizes) {
      const url = await postgres.createDatabase();
      await fill(url, size);
      columns.push(await measureSize(url, values.samples));
      await command(postgres.url, `DROP DATABASE "${new URL(url).pathname.slice(1)}" WITH (FORCE)`);
    }
  } finally {
    await postgres.close();
  }
  const rows = [...(columns[0]?.keys() ?? [])].map((name) => {
    const times = columns.map((column) => column.get(name) ?? Number.NaN);
    return [name, ...times.map((ms) => ms.toFixed(1)), ((times.at(-1) ?? 1) / (times[0] ?? 1)).toFixed(1)];
  });
  printTable([["ms", ...sizes.map((size) => size.toLocaleString("en")), "times"], ...rows]);
}

async function fill(url: string, size: number): Promise<void> {
  const database = openDatabase({ kind: "postgres", url }, { use: "the benchmark", shared: false });
  await database.run(async () => null);
  await database.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const startedAt = performance.now();
    await fillTables(client, size);
    await client.query(
      `INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, design)
         VALUES ('growth', 'auth-bench', 'auth-bench', 'growth', 'postcard', '{}');
       INSERT INTO bulk_rows (list_id, number, cells, state, address_key)
         SELECT 'growth', n + 1, '[]', 'ready', md5((n * 3)::text) FROM generate_series(1, ${LIST_ROWS}) n`,
    );
    await client.query("VACUUM ANALYZE");
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stdout.write(`Filled ${size.toLocaleString("en")} in ${seconds} s.\n`);
  } finally {
    await client.end();
  }
}

/** Measures in a new process, because a process of the product has one database. */
async function measureSize(url: string, samples: string): Promise<Map<string, number>> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "tests/benchmarks/bench.ts", "growth", "--measure", "--samples", samples],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: {
        ...process.env,
        ...{ DATABASE_URL: url, STANNP_BASE_URLS: `US=${BASE_URL}`, STANNP_CURRENCY: "USD" },
        ...{
          STANNP_API_KEY: "bench-key-0000000000000001",
          SESSION_SECRET: "0".repeat(64),
          LOG_LEVEL: "error",
          MAILROOM_SPOOL_DIR: join(tmpdir(), `mailroom-growth-${process.pid}`),
        },
      },
    },
  );
  const times = new Map<string, number>();
  child.on("message", ([name, ms]: [string, number]) => times.set(name, ms));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The process that measures ended with ${code}.`);
  return times;
}

async function printTimes(samples: number): Promise<void> {
  for (const [name, work] of await listWork()) {
    const times: number[] = [];
    const until = performance.now() + LIMIT_MS;
    // The first round fills caches.
    for (let n = 0; times.length < samples && (n < 2 || performance.now() < until); n++) {
      const startedAt = performance.now();
      await work(n);
      if (n > 0) times.push(performance.now() - startedAt);
    }
    const median = findQuantile(times);
    process.stdout.write(`measured: ${name}  ${median.toFixed(1)} ms\n`);
    process.send?.([name, median]);
  }
  await closeDatabase();
  process.disconnect?.();
}

async function listWork(): Promise<[string, Work][]> {
  const at = (query: Record<string, string> = {}) =>
    new Request(`http://localhost/?${new URLSearchParams(query)}`);
  const stored = (query: Record<string, string> = {}) => assertLoaded(loadStoredView(at(query), VIEWER));
  const mail = (query: Record<string, string> = {}) =>
    assertLoaded(loadMailView(at({ user_id: VIEWER.id, ...query }), VIEWER));
  const credits = (query: Record<string, string>) => assertLoaded(loadCreditsView(at(query), VIEWER));
  const find = (text: string) => search(text, 10, new Date());
  const inDatabase = (work: (db: PrismaClient) => Promise<unknown>) => assertDone(withDatabase(work));
  const deep = await readOne<{ id: string; createdAt: Date }>(
    `SELECT id, created_at AS "createdAt" FROM responses ORDER BY created_at DESC, id DESC OFFSET ${99 * PAGE_ROWS} LIMIT 1`,
  );
  const { people } = await readOne<{ people: string[] }>(
    "SELECT array_agg(id) AS people FROM (SELECT id FROM mail_recipients WHERE recipient_id IS NULL ORDER BY id LIMIT 100) p",
  );
  const person = (n: number) => people[n % people.length] ?? "";
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  return [
    ["stored responses", () => stored()],
    ["stored responses, page 100", () => stored({ cursor: formatCursor(deep) })],
    ["stored responses, search: rare tag", () => stored({ search: RARE_WORD })],
    ["stored responses, search: path", () => stored({ search: "recipients" })],
    ["stored responses, search: absent", (n) => stored({ search: `zzqqxx${n}` })],
    ["statistics", () => assertDone(loadStats())],
    ["Mail Management", () => mail()],
    ["Mail Management, all users", () => mail({ user_id: "all" })],
    ["Mail Management, search", () => mail({ q: "99998", tests: "1" })],
    ["came back", () => mail({ user_id: "all", status: "returned" })],
    ["spending of all users", () => credits({ view: "spending" })],
    ["ledger of one user", () => credits({ view: "history", user_id: VIEWER.id })],
    ["insights", () => loadInsightsView(VIEWER, new Date())],
    ["search in the header: a person", () => find("siobhan omalley")],
    ["search in the header: a value", () => find("4711")],
    ["search in the header: absent", () => find("xyzzyx quuxquux")],
    ["reconcile a day", () => assertDone(reconcile({ from: day(3), to: day(3) }, { limitMs: LIMIT_MS }))],
    ["returned mail of 50,000 rows", () => inDatabase((db) => markDuplicates(db, "growth"))],
    ["a person's data", (n) => assertDone(loadPersonData(person(n)))],
    ["erase a person", (n) => assertDone(erasePerson(person(n), VIEWER))],
    [
      "retention: 100 pieces",
      () =>
        inDatabase(async (db) => {
          for (const id of await findExpiredPieces(db, 100, 100)) {
            await db.$transaction((tx) => erasePieces(tx, [id]));
          }
        }),
    ],
    ["retention: 500 responses", () => inDatabase((db) => expireSomeBodies(db, 100))],
    ["retention: no response is due", () => inDatabase((db) => expireSomeBodies(db, 1_000))],
  ];
}

async function readOne<Row>(sql: string): Promise<Row> {
  const [row] = await assertDone(withDatabase((db) => db.$queryRawUnsafe<Row[]>(sql)));
  if (!row) throw new Error(`no row: ${sql}`);
  return row;
}

async function assertDone<T>(work: Promise<Outcome<T>>): Promise<T> {
  const done = await work;
  if (!done.ok) throw new Error(done.failure.details ?? done.failure.message);
  return done.value;
}

async function assertLoaded(view: Promise<{ failure: { message: string } | null }>): Promise<void> {
  const { failure } = await view;
  if (failure) throw new Error(failure.message);
}
