import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { buildConsole, PROJECT } from "../support/console/console-build";
import { startConsole } from "../support/console/console-process";
import { makeSessionCookie } from "../support/console/session-cookie";
import { command, startPostgres } from "../support/database/postgres";
import { readProcessMs } from "../support/own-time";
import { findQuantile, printTable } from "./measure";
import { buildFloor, type MeasuredProcess, startFloor, startMeasured } from "./processes";

/** One request of a load. */
interface Shot {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Result of a server under load. */
interface Figures {
  p50: number;
  perSecond: number;
  cpuMs: number;
}

interface Row {
  name: string;
  connections: number;
  /** Makes the nth request to the console. */
  ours: (n: number) => Shot;
  /** Makes the request that it is compared with: to the bare app, or to the console itself with less work. */
  other: (n: number) => Shot;
  besideItself?: true;
}

const PEOPLE = 32;
const KEY = "bench-key-0000000000000001";

/**
 * Compares requests to the console with the same requests to a bare Remix app, in turns. The console has a
 * PostgreSQL and a provider that answers at once, counts its rate limits and stores every answer. `--ms 500
 * --rounds 3` is shorter, `--only proxy` measures the rows with that word, and `--instances 4` divides the load among as
 * many consoles with one database.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ms: { type: "string", default: "2000" },
      rounds: { type: "string", default: "5" },
      only: { type: "string", default: "" },
      instances: { type: "string", default: "1" },
    },
  });
  const forMs = Number(values.ms);
  const postgres = await startPostgres({ own: true });
  const started: MeasuredProcess[] = [];
  const start = async (server: Promise<MeasuredProcess>) => {
    started.push(await server);
    return server;
  };
  try {
    const provider = startMeasured(["--import", "tsx", "tests/benchmarks/fixed-provider.ts"], {
      folder: PROJECT,
      path: "/v1/up",
      env: {},
    });
    const PROVIDER_URL = `${(await start(provider)).origin}/v1`;
    const floor = await start(startFloor({ PROVIDER_URL, PROVIDER_KEY: KEY }));
    const databaseUrl = await postgres.createDatabase();
    const ours: MeasuredProcess[] = [];
    for (let n = 0; n < Number(values.instances); n++) {
      ours.push(await start(startOurs(PROVIDER_URL, databaseUrl)));
    }
    await addPeople(databaseUrl);
    const table = [
      ["", "p50 ms", "floor", "ratio", "per second", "floor", "ratio", "CPU ms", "floor", "ratio"],
    ];
    const cookies = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) => makeSessionCookie(`bench-${n}`)),
    );
    for (const { name, connections, besideItself, ...shots } of await listRows(cookies)) {
      if (!name.includes(values.only)) continue;
      const loads = [
        () => putLoad(ours, connections, forMs, shots.ours),
        () => putLoad(besideItself ? ours : [floor], connections, forMs, shots.other),
      ];
      // The first turn compiles; it does not count.
      for (const load of loads) await load();
      const turns: Figures[][] = [[], []];
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const [n, load] of loads.entries()) turns[n]?.push(await load());
      }
      const cells = (["p50", "perSecond", "cpuMs"] as const).flatMap((figure) => {
        const [own = 0, other = 1] = turns.map((figures) =>
          findQuantile(figures.map((each) => each[figure])),
        );
        const digits = figure === "perSecond" ? 0 : 2;
        return [own.toFixed(digits), other.toFixed(digits), (own / other).toFixed(2)];
      });
      table.push([`${name}, ${connections}`, ...cells]);
      process.stdout.write(`measured: ${table.at(-1)?.join("  ")}\n`);
    }
    printTable(table);
    process.stdout.write(
      `Start to first answer: ${ours[0]?.startMs.toFixed(0)} ms, floor ${floor.startMs.toFixed(0)} ms.\n`,
    );
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    await postgres.close();
  }
}

/**
 * Loads servers in turn on several connections, each with one request at a time.
 * @throws when an answer is not 200
 */
async function putLoad(
  servers: readonly MeasuredProcess[],
  connections: number,
  forMs: number,
  shoot: (n: number) => Shot,
): Promise<Figures> {
  const pools = servers.map(({ origin }) => new Pool(origin, { connections, pipelining: 1 }));
  const times: number[] = [];
  const readMs = () => servers.reduce((sum, { pid }) => sum + readProcessMs(pid), 0);
  const before = readMs();
  const startedAt = performance.now();
  let sent = 0;
  const work = async () => {
    while (performance.now() - startedAt < forMs) {
      const from = performance.now();
      const n = sent++;
      const { statusCode, body } = await (pools[n % pools.length] as Pool).request(shoot(n));
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${statusCode}: ${text.slice(0, 300)}`);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const tookMs = performance.now() - startedAt;
  const cpuMs = readMs() - before;
  await Promise.all(pools.map((pool) => pool.close()));
  return {
    p50: findQuantile(times),
    perSecond: (times.length / tookMs) * 1_000,
    cpuMs: cpuMs / times.length,
  };
}

async function startOurs(providerUrl: string, databaseUrl: string): Promise<MeasuredProcess> {
  const folder = await buildConsole();
  const startedAt = performance.now();
  const server = await startConsole(
    {
      DATABASE_URL: databaseUrl,
      STANNP_API_KEY: KEY,
      STANNP_BASE_URLS: `US=${providerUrl}`,
      STANNP_CONCURRENCY: "64",
      // Counts requests, with limits far above the load.
      RATE_LIMITS: "read=9999999,send=9999999,write=9999999",
      RECONCILE_INTERVAL_MS: "0",
    },
    folder,
  );
  await fetch(`${server.origin}/healthz`);
  const startMs = performance.now() - startedAt;
  await fetch(`${server.origin}/readyz`);
  return { ...server, startMs };
}

async function addPeople(databaseUrl: string): Promise<void> {
  await command(
    databaseUrl,
    `INSERT INTO users (id, display_name, username)
       SELECT 'auth-bench-' || n, 'bench ' || n, 'bench-' || n FROM generate_series(0, ${PEOPLE - 1}) n;
     INSERT INTO credit_accounts (user_id, balance) SELECT id, 1000000000 FROM users`,
  );
}

async function listRows(cookies: readonly string[]): Promise<Row[]> {
  const health = (): Shot => ({ method: "GET", path: "/healthz" });
  const list = (bytes: number, delay = 0) => ({
    other: () => post({ path: `recipients/list?bytes=${bytes}&delay=${delay}`, method: "GET" }),
    ours: (n: number) => {
      const query = { bytes: String(bytes), delay: String(delay) };
      return post({ path: "recipients/list", method: "GET", query }, cookies[n % PEOPLE]);
    },
  });
  const live = (payers: number) => ({
    other: list(2_000).ours,
    ours: (n: number) => sendLive(String(n), cookies[n % payers]),
    besideItself: true as const,
  });
  return [
    { name: "health", connections: 1, ours: health, other: health },
    { name: "health", connections: 32, ours: health, other: health },
    {
      name: "file, a script of the page",
      connections: 32,
      ours: findScript(await buildConsole()),
      other: findScript(await buildFloor()),
    },
    { name: "proxy, 2 KB", connections: 1, ...list(2_000) },
    { name: "proxy, 2 KB", connections: 32, ...list(2_000) },
    { name: "proxy, 200 KB", connections: 32, ...list(200_000) },
    { name: "proxy, provider of 50 ms", connections: 32, ...list(2_000, 50) },
    { name: "live beside free, one payer", connections: 1, ...live(1) },
    { name: "live beside free, many payers", connections: 32, ...live(PEOPLE) },
    { name: "live beside free, one payer", connections: 32, ...live(1) },
  ];
}

/** A postcard to a new person. */
function sendLive(lastname: string, cookie: string | undefined): Shot {
  const address = { address1: "12 St James Square", city: "London", postcode: "SW1Y 4LB", country: "GB" };
  const recipient = { firstname: "Ada", lastname, ...address };
  const body = { size: "4x6", front: "https://example.com/f.jpg", message: "Hello", test: false, recipient };
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

/** The script with which a page starts: a small file in both apps. */
function findScript(folder: string): () => Shot {
  const names = readdirSync(join(folder, "build/client/assets"));
  const name = names.find((file) => file.startsWith("entry.client"));
  return () => ({ method: "GET", path: `/assets/${name}` });
}
