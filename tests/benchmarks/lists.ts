import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { formatCursor } from "~/platform/page-cursor";
import { buildConsole } from "../support/console/console-build";
import { startConsole } from "../support/console/console-process";
import { makeSessionCookie } from "../support/console/session-cookie";
import { command, startPostgres } from "../support/database/postgres";
import { BASE_URL, fillTables, RARE_WORD } from "./fill";
import { findQuantile, printTable } from "./measure";
import { startFloor } from "./processes";

/** The address of the nth round, with the query's parameters and the posted body. */
interface Call {
  path: string;
  query?: Record<string, string>;
  post?: object;
}
type Row = [name: string, call: (n: number) => Call];

/** Limits of a room's routes at the 99th percentile. */
interface Room {
  limitMs: number;
  rows: Row[];
}

const ROUTE = /^\/api\//;
/** Statements that take PostgreSQL longer than this are printed. */
const SLOW_MS = 20;
const USER = "auth-bench";
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/**
 * Measures lists, searches, histories and statistics over a million responses, 200,000 pieces and a million ledger
 * rows, compared with the time of their SQL and a bare Remix app. `--rows 20000 --samples 20` is shorter, `--only
 * mail` measures the rooms and rows with that word. Exits with 1 when a route exceeds the limit of its room.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "1000000" },
      samples: { type: "string", default: "100" },
      only: { type: "string", default: "" },
    },
  });
  const postgres = await startPostgres({ own: true });
  await command(postgres.url, "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  await postgres.stop();
  await postgres.start();
  const floor = await startFloor();
  const url = await postgres.createDatabase();
  const client = new pg.Client({ connectionString: url });
  const served = await startConsole(
    {
      DATABASE_URL: url,
      STANNP_API_KEY: "bench-key-0000000000000001",
      STANNP_BASE_URLS: `US=${BASE_URL}`,
      STANNP_CURRENCY: "USD",
      RECONCILE_INTERVAL_MS: "0",
    },
    await buildConsole(),
  );
  try {
    await fetch(`${served.origin}/readyz`);
    await client.connect();
    const startedAt = performance.now();
    await fillTables(client, Number(values.rows));
    await client.query("CREATE EXTENSION pg_stat_statements");
    const cookie = await makeSessionCookie("bench");
    const filled = `Filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
    process.stdout.write(`${filled}; ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}.\n`);

    const table = [["ms", "its SQL", "median", "p99", "times SQL and bare"]];
    for (const [room, { limitMs, rows }] of Object.entries(await listRooms(client))) {
      for (const [name, toCall] of rows) {
        if (!`${room}: ${name}`.includes(values.only)) continue;
        const bare = ROUTE.test(toCall(0).path) ? "/healthz" : "/";
        const [ours, theirs, sql] = await measureRow(client, Number(values.samples), [
          (n) => send(served.origin, cookie, toCall(n)),
          () => send(floor.origin, cookie, { path: bare }),
        ]);
        const [median, p99] = [findQuantile(ours), findQuantile(ours, 0.99)];
        const times = (median / (sql + findQuantile(theirs))).toFixed(2);
        const over = p99 > limitMs ? ` over ${limitMs}` : "";
        if (over) process.exitCode = 1;
        table.push([`${room}: ${name}`, sql.toFixed(1), median.toFixed(1), p99.toFixed(1) + over, times]);
        process.stdout.write(`measured: ${table.at(-1)?.join("  ")}\n`);
      }
    }
    printTable(table);
  } finally {
    await client.end();
    await served.stop();
    await floor.stop();
    await postgres.close();
  }
}

/**
 * Calls the routes in turns. Returns the times of each, and PostgreSQL's mean time for a round; prints slow
 * statements.
 */
async function measureRow(
  client: pg.Client,
  samples: number,
  [ours, floor]: [(n: number) => Promise<unknown>, () => Promise<unknown>],
): Promise<[number[], number[], number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -Math.ceil(samples / 10); round < samples; round++) {
    if (round === 0) await client.query("SELECT pg_stat_statements_reset()");
    for (const [which, work] of [ours, floor].entries()) {
      const startedAt = performance.now();
      await work(round + samples);
      if (round >= 0) times[which]?.push(performance.now() - startedAt);
    }
  }
  const { rows } = await client.query<{ query: string; total: number; mean: number }>(
    `SELECT query, total_exec_time AS total, mean_exec_time AS mean FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  for (const { query, mean } of rows) {
    if (mean > SLOW_MS) process.stdout.write(`${mean.toFixed(0)} ms: ${query.replace(/\s+/g, " ")}\n`);
  }
  return [...times, rows.reduce((sum, { total }) => sum + total, 0) / samples];
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

async function listRooms(client: pg.Client): Promise<Record<string, Room>> {
  const one = async <T extends pg.QueryResultRow>(sql: string): Promise<T> => {
    const [row] = (await client.query<T>(sql)).rows;
    if (!row) throw new Error(`no row: ${sql}`);
    return row;
  };
  /** The first row of the oldest tenth. */
  const deep = async (table: string, where = "true") =>
    formatCursor(
      await one<{ id: string; createdAt: Date }>(
        `SELECT id, created_at AS "createdAt" FROM ${table} WHERE ${where} ORDER BY created_at DESC, id DESC
         OFFSET (SELECT floor(count(*) * 0.9) FROM ${table} WHERE ${where}) LIMIT 1`,
      ),
    );
  const { recipient } = await one<{ recipient: string }>(
    `SELECT id AS recipient FROM mail_recipients WHERE user_id = '${USER}' AND recipient_id IS NULL LIMIT 1`,
  );
  const { piece } = await one<{ piece: string }>(
    `SELECT id AS piece FROM sends WHERE user_id = '${USER}' LIMIT 1`,
  );
  const { purchase } = await one<{ purchase: string }>(
    "SELECT cause_key AS purchase FROM credit_transactions WHERE user_id = 'fifo' AND cause = 'checkout' ORDER BY id DESC LIMIT 1",
  );

  const responses = (name: string, toQuery: (n: number) => Record<string, string>): Row[] =>
    ["0", "1"].map((bodies) => [
      bodies === "0" ? name : `${name}, with bodies`,
      (n) => ({ path: "/api/responses", query: { ...toQuery(n), bodies } }),
    ]);
  const oneOf = (words: string[]) => (n: number) => words[n % words.length] ?? "";
  const user = (n: number) => `user-${1 + (n % 40)}`;
  const [codes, classes] = [oneOf(["200", "404", "418"]), oneOf(["4xx", "5xx", "none"])];
  const [categories, methods] = [
    oneOf(["letters", "recipients", "events"]),
    oneOf(["GET", "POST", "DELETE"]),
  ];
  const deepResponse = await deep("responses");

  const items = (name: string, query: Record<string, string>): Row => [
    name,
    () => ({ path: "/api/mail/items", query: { userId: USER, limit: "50", ...query } }),
  ];
  const page = (name: string, path: string, query: Record<string, string> = {}): Row => [
    name,
    () => ({ path, query }),
  ];
  const mail = (name: string, query: Record<string, string>) =>
    page(name, "/mail", { user_id: USER, ...query });
  const history = (name: string, query: Record<string, string>) =>
    page(`history, ${name}`, "/users", { view: "history", ...query });
  const cursors = {
    items: await deep("mail_items", `user_id = '${USER}' AND type = 'letter'`),
    recipients: await deep("mail_recipients", `user_id = '${USER}'`),
  };

  return {
    stored: {
      limitMs: 300,
      rows: [
        ...responses("no filter", () => ({})),
        ...responses("a deep page", () => ({ cursor: deepResponse })),
        ...responses("user", (n) => ({ user_id: user(n) })),
        ...responses("category", (n) => ({ category: categories(n) })),
        ...responses("user and category", (n) => ({ user_id: user(n), category: "letters" })),
        ...responses("status", (n) => ({ status: codes(n) })),
        ...responses("status class", (n) => ({ status: classes(n) })),
        ...responses("method", (n) => ({ method: methods(n) })),
        ...responses("common tag", () => ({ tag: "auto-saved" })),
        ...responses("rare tag", () => ({ tag: RARE_WORD })),
        ...responses("days", (n) => ({ from: day((n % 300) + 7), to: day(n % 300) })),
        ...responses("rare word", () => ({ search: RARE_WORD })),
        ...responses("common word", () => ({ search: "recipients" })),
        ...responses("absent word", (n) => ({ search: `zzqqxx${n}` })),
        ...responses("user and common word", (n) => ({ user_id: user(n), search: "recipients" })),
        ...responses("a user's name", (n) => ({ search: `person ${1 + (n % 40)}` })),
        ...responses("two letters", () => ({ search: "ab" })),
        page("stats", "/api/responses/stats"),
        [
          "insert",
          () => ({
            path: "/api/responses",
            post: {
              user_id: USER,
              method: "GET",
              path: "letters/list",
              status_code: 200,
              response_data: { success: true },
            },
          }),
        ],
        page("page", "/stored"),
      ],
    },
    mail: {
      limitMs: 100,
      rows: [
        items("letters", { type: "letter" }),
        items("letters, a deep page", { type: "letter", cursor: cursors.items }),
        items("common status", { type: "letter", status: "delivered" }),
        items("rare status", { type: "letter", status: "returned" }),
        items("absent status", { type: "letter", status: "failed" }),
        items("500 rows", { limit: "500" }),
        mail("page with counts", {}),
        mail("common word", { q: "person", tests: "1" }),
        mail("rare word", { q: "99998", tests: "1" }),
        mail("absent word", { q: "zzyzx", tests: "1" }),
        mail("to one recipient", { recipient }),
        page("recipients", "/api/mail/recipients", { userId: USER, limit: "50" }),
        mail("page of recipients", { type: "recipient" }),
        mail("page of recipients, deep", { type: "recipient", cursor: cursors.recipients }),
        page("page of one piece", `/sends/${piece}`),
      ],
    },
    money: {
      limitMs: 1_500,
      rows: [
        page("spending of all users", "/users", { view: "spending" }),
        page("spending of one user", "/users", { view: "spending", user_id: USER }),
        history("first page", {}),
        history("one user", { user_id: USER }),
        history("refunds", { type: "refund" }),
        history("a type without rows", { type: "release" }),
        history("a month, two years ago", { from: day(740), to: day(710) }),
        history("one user, a month", { user_id: USER, from: day(200), to: day(170) }),
        history("common word", { q: "mailed" }),
        history("absent word", { q: "xyzzyx" }),
        history("one user, absent word", { user_id: USER, q: "xyzzyx" }),
        page("what a purchase paid for", `/purchases/${purchase}`),
        page("insights", "/insights"),
      ],
    },
    find: {
      limitMs: 50,
      rows: Object.entries({
        "one piece, the oldest": "siobhan omalley",
        "the same with two letters swapped": "siobahn omalley",
        "a city of every twentieth": "portland",
        "two letters that begin many words": "ma",
        "a value of one response": "4711",
        "absent words": "xyzzyx quuxquux",
        "a pasted mail ID": "10000042",
      }).map(([name, q]): Row => [name, () => ({ path: "/api/search", post: { q } })]),
    },
  };
}
