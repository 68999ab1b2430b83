import { existsSync, readdirSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { buildConsole, PROJECT } from "../support/console/console-build";
import { findFreePort, SESSION_SECRET } from "../support/console/console-process";
import { makeSessionCookie } from "../support/console/session-cookie";
import { startPostgres } from "../support/database/postgres";
import { startFloor } from "./floor";
import { type LoadResult, putLoad, type Shot, takeTurns } from "./load";
import { writeTable } from "./measure";
import { type MeasuredProcess, startMeasured } from "./measured-process";

/**
 * `npm run bench:requests`: what a request costs, beside a bare Remix app that does the same, in turns in one run. The
 * console has a PostgreSQL, a provider that answers at once, its rate limits counted, and stores every answer.
 * `-- --ms 500 --rounds 3` makes it shorter, `--only proxy` measures the rows whose names have the word, and `--profile
 * FOLDER` writes a profile of the console's processor time for Chrome's developer tools.
 */
const PEOPLE = 32;
const CREDITS = 1_000_000_000;
const KEY = "bench-key-0000000000000001";
const SIZES = { small: 2_000, large: 200_000 };

interface Row {
  name: string;
  connections: number;
  /** By the floor or a peer, then by the console. */
  shots: readonly [peer: (n: number) => Shot, ours: (n: number) => Shot];
  /** Who the peer is, when it is not the bare Remix app: the console itself, doing less. */
  besideItself?: true;
}

const { values } = parseArgs({
  options: {
    ms: { type: "string", default: "2000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    profile: { type: "string" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const forMs = Number(values.ms);
const rounds = Number(values.rounds);
const postgres = await startPostgres({ own: true });
const started: MeasuredProcess[] = [];
try {
  const port = await findFreePort();
  const provider = await startMeasured(["--import", "tsx", "tests/benchmarks/fixed-provider.ts"], {
    folder: PROJECT,
    port,
    path: "/v1/up",
    env: {},
  });
  started.push(provider);
  const providerUrl = `${provider.origin}/v1`;
  const floor = await startFloor({ PROVIDER_URL: providerUrl, PROVIDER_KEY: KEY });
  started.push(floor);
  const databaseUrl = await postgres.createDatabase();
  const ours = await startOurs(providerUrl, databaseUrl);
  started.push(ours);
  await fillPeople(ours, databaseUrl);

  say(
    `${cpus().length} processors, load ${(loadavg()[0] ?? 0).toFixed(1)}: compare what stands in one row, not rows.`,
  );
  const head = ["", "p50 ms", "floor", "ratio", "per second", "floor", "ratio", "CPU ms", "floor", "ratio"];
  const table = [head];
  for (const row of await listRows()) {
    if (!row.name.includes(values.only)) continue;
    const at = { connections: row.connections, forMs };
    const peer = row.besideItself ? ours : floor;
    const [shootPeer, shootOurs] = row.shots;
    // What is compiled at first use is in no figure.
    await putLoad(peer, { ...at, forMs: forMs / 2 }, shootPeer);
    await putLoad(ours, { ...at, forMs: forMs / 2 }, shootOurs);
    const [left, right] = await takeTurns(rounds, [
      () => putLoad(peer, at, shootPeer),
      () => putLoad(ours, at, shootOurs),
    ]);
    if (!left || !right) continue;
    table.push(writeRow(row.name, left, right));
    say(`measured: ${table.at(-1)?.join("  ")}`);
  }
  say(`\n${writeTable(table)}\n`);
  say(`Start to first answer: ${ours.startMs.toFixed(0)} ms, floor ${floor.startMs.toFixed(0)} ms.`);
  say(`Memory now: ${(await ours.memory()) >> 20} MB, floor ${(await floor.memory()) >> 20} MB.`);
  if ("memory".includes(values.only)) await measureMemory(providerUrl);
} finally {
  await Promise.all(started.map((server) => server.stop()));
  await postgres.close();
}

/** What live mail leaves in a console's memory. */
async function measureMemory(providerUrl: string): Promise<void> {
  const databaseUrl = await postgres.createDatabase();
  const console = await startOurs(providerUrl, databaseUrl);
  started.push(console);
  await fillPeople(console, databaseUrl);
  const cookies = await makeCookies();
  const send = (n: number) => sendLive(n, cookies[n % PEOPLE]);
  await putLoad(console, { connections: 8, count: 1_000 }, send);
  const few = await console.memory();
  await putLoad(console, { connections: 8, count: 9_000 }, (n) => send(1_000 + n));
  const many = await console.memory();
  const ratio = (many / few).toFixed(2);
  say(`Memory after 1,000 live pieces: ${few >> 20} MB; after 10,000: ${many >> 20} MB, ${ratio} times.`);
}

async function startOurs(providerUrl: string, databaseUrl: string): Promise<MeasuredProcess> {
  const port = await findFreePort();
  const env = {
    APP_ORIGIN: `http://127.0.0.1:${port}`,
    SESSION_SECRET,
    DATABASE_URL: databaseUrl,
    STANNP_API_KEY: KEY,
    STANNP_BASE_URLS: `US=${providerUrl}`,
    STANNP_CONCURRENCY: "64",
    // Counted as ever, with room for a load that no person makes.
    RATE_LIMITS: "read=9999999,send=9999999,write=9999999",
    RECONCILE_INTERVAL_MS: "0",
  };
  const profile = values.profile ? ["--cpu-prof", `--cpu-prof-dir=${resolve(values.profile)}`] : [];
  return startMeasured([...profile, "build/index.js"], {
    folder: await buildConsole(),
    port,
    path: "/healthz",
    env,
  });
}

/** People of whom each sends on a connection of their own, each with credits. */
async function fillPeople({ origin }: MeasuredProcess, databaseUrl: string): Promise<void> {
  await fetch(`${origin}/readyz`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    "INSERT INTO users (id, display_name, username) SELECT 'auth-bench-' || n, 'bench ' || n, 'bench-' || n FROM generate_series(0, $1::int - 1) n",
    [PEOPLE],
  );
  await client.query("INSERT INTO credit_accounts (user_id, balance) SELECT id, $1 FROM users", [CREDITS]);
  await client.end();
}

async function listRows(): Promise<Row[]> {
  const cookies = await makeCookies();
  const health = (): Shot => ({ method: "GET", path: "/healthz" });
  const list = (bytes: number, delay: number): Row["shots"] => [
    () => post({ path: `recipients/list?bytes=${bytes}&delay=${delay}`, method: "GET" }),
    (n) => {
      const query = { bytes: String(bytes), delay: String(delay) };
      return post({ path: "recipients/list", method: "GET", query }, cookies[n % PEOPLE]);
    },
  ];
  const small = list(SIZES.small, 0);
  const live = (n: number, payer: number) => sendLive(n, cookies[payer]);
  return [
    { name: "health", connections: 1, shots: [health, health] },
    { name: "health", connections: 32, shots: [health, health] },
    {
      name: "file, a script of the page",
      connections: 32,
      shots: [await findScript("floor"), await findScript("ours")],
    },
    { name: "proxy, 2 KB", connections: 1, shots: small },
    { name: "proxy, 2 KB", connections: 32, shots: small },
    { name: "proxy, 200 KB", connections: 32, shots: list(SIZES.large, 0) },
    { name: "proxy, provider of 50 ms", connections: 32, shots: list(SIZES.small, 50) },
    { name: "live beside free", connections: 1, shots: [small[1], (n) => live(n, 0)], besideItself: true },
    {
      name: "live beside free, many payers",
      connections: 32,
      shots: [small[1], (n) => live(n, n % PEOPLE)],
      besideItself: true,
    },
    {
      name: "live beside free, one payer",
      connections: 32,
      shots: [small[1], (n) => live(n, 0)],
      besideItself: true,
    },
  ];
}

function makeCookies(): Promise<string[]> {
  return Promise.all(Array.from({ length: PEOPLE }, (_, n) => makeSessionCookie(`bench-${n}`)));
}

/** A postcard to somebody who gets no other one. */
function sendLive(n: number, cookie: string | undefined): Shot {
  const recipient = {
    firstname: "Ada",
    lastname: `Number ${n}`,
    address1: "12 St James Square",
    city: "London",
    postcode: "SW1Y 4LB",
    country: "GB",
  };
  const body = {
    size: "4x6",
    front: "https://example.com/f.jpg",
    message: "Hello",
    test: false,
    recipient,
  };
  return post({ path: "postcards/create", method: "POST", body }, cookie);
}

function post(body: object, cookie?: string): Shot {
  return {
    method: "POST",
    path: "/api/stannp",
    headers: { "Content-Type": "application/json", ...(cookie ? { Cookie: cookie } : {}) },
    body: JSON.stringify(body),
  };
}

/** The script with which a page starts: a small file that both have. */
async function findScript(whose: "floor" | "ours"): Promise<() => Shot> {
  const { buildFloor } = await import("./floor");
  const folder = join(whose === "floor" ? await buildFloor() : await buildConsole(), "build/client/assets");
  const name = existsSync(folder)
    ? readdirSync(folder).find((file) => file.startsWith("entry.client"))
    : undefined;
  return () => ({ method: "GET", path: `/assets/${name}` });
}

function writeRow(name: string, floor: LoadResult, ours: LoadResult): string[] {
  return [
    name,
    ...(["p50", "perSecond", "cpuMsPerRequest"] as const).flatMap((figure) => {
      const digits = figure === "perSecond" ? 0 : 2;
      const [theirs, own] = [floor[figure], ours[figure]];
      return [own.toFixed(digits), theirs.toFixed(digits), (own / theirs).toFixed(2)];
    }),
  ];
}
