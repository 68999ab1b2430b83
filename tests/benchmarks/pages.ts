import { parseArgs } from "node:util";
import pg from "pg";
import { type Browser, chromium } from "playwright";
import { findBrowser } from "../support/browser";
import { buildConsole } from "../support/console/console-build";
import { startConsole } from "../support/console/console-process";
import { NO_LIMITS } from "../support/console/no-limits";
import { makeSessionCookie } from "../support/console/session-cookie";
import { startPostgres } from "../support/database/postgres";
import { fillMail } from "./fill-mail";
import { startFloor } from "./floor";
import { writeTable } from "./measure";

/**
 * `npm run bench:pages`: what a person waits for when a page is opened for the first time, on a slow phone's line (1.6
 * Mbit/s, 150 ms) and a fourth of a processor, beside a bare Remix app. Pages are opened in turns, each in a new browser
 * context. `-- --rounds 3` is shorter.
 */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const SLOWER = 4;
const ROWS = 2_000;
const STARTED_MS = 60_000;

interface Times {
  /** The largest thing in view is painted, in ms since the address was opened. */
  largest: number;
  /** React has what is seen: a click does what it does. */
  reacts: number;
  /** What tasks of more than 50 ms took beyond that, from the first paint until the page reacts. */
  blocked: number;
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "7" } } });
const postgres = await startPostgres({ own: true });
const floor = await startFloor({});
const url = await postgres.createDatabase();
const served = await startConsole(
  {
    ...NO_LIMITS,
    DATABASE_URL: url,
    STANNP_API_KEY: "bench-key",
    RECONCILE_INTERVAL_MS: "0",
  },
  await buildConsole(),
);
const executablePath = findBrowser();
const browser = await chromium.launch(executablePath ? { executablePath } : {});
try {
  const [piece, cookie] = [await fill(), await makeSessionCookie("bench")];
  const pages = {
    "bare Remix, 50 rows": `${floor.origin}/`,
    Builder: `${served.origin}/`,
    "Builder, a postcard": `${served.origin}/?preset=postcards-create`,
    "Stored Responses": `${served.origin}/stored`,
    "User Credits": `${served.origin}/users`,
    Mail: `${served.origin}/mail?user_id=auth-bench`,
    Piece: `${served.origin}/sends/${piece}`,
  };
  const taken = new Map(Object.keys(pages).map((name) => [name, [] as Times[]]));
  // The first round is not counted: the servers have not compiled yet.
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, address] of Object.entries(pages)) {
      const times = await openPage(browser, address, cookie);
      if (round > 0) taken.get(name)?.push(times);
    }
  }
  const [base] = [...taken.values()].map(toMedians);
  const table = [...taken].map(([name, times]) => {
    const median = toMedians(times);
    const cells = (["largest", "reacts", "blocked"] as const).flatMap((what) => [
      median[what].toFixed(0),
      (median[what] / Math.max(1, base?.[what] ?? 1)).toFixed(2),
    ]);
    return [name, ...cells];
  });
  const head = ["ms, medians", "largest paint", "times", "reacts", "times", "blocked", "times"];
  process.stdout.write(`${writeTable([head, ...table])}\n`);
} finally {
  await browser.close();
  await served.stop();
  await floor.stop();
  await postgres.close();
}

/** Pieces for the lists; gives the id of one. */
async function fill(): Promise<string> {
  await fetch(`${served.origin}/readyz`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await fillMail(client, { rows: ROWS, baseUrl: "https://api-us1.stannp.com/v1" }, () => undefined);
  const { rows } = await client.query(
    "SELECT send_id FROM mail_items WHERE user_id = 'auth-bench' AND send_id IS NOT NULL LIMIT 1",
  );
  await client.end();
  return rows[0].send_id;
}

async function openPage(from: Browser, address: string, cookie: string): Promise<Times> {
  const context = await from.newContext();
  try {
    const at = cookie.indexOf("=");
    await context.addCookies([
      { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: new URL(address).origin },
    ]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", LINE);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    // Which the compiler puts around functions that have a name.
    await page.addInitScript("globalThis.__name = (named) => named");
    await page.addInitScript(watch);
    const answer = await page.goto(address);
    if (!answer?.ok()) throw new Error(`${address} answered ${answer?.status()}.`);
    await page.waitForFunction(() => "reacts" in window, null, { timeout: STARTED_MS });
    return await page.evaluate(() => {
      const { reacts, largest, tasks, first } = window as unknown as Watched;
      const blocked = tasks
        .filter(([start]) => start + 50 >= first && start <= reacts)
        .reduce((sum, [, duration]) => sum + duration - 50, 0);
      return { reacts, largest, blocked };
    });
  } finally {
    await context.close();
  }
}

interface Watched {
  first: number;
  largest: number;
  reacts: number;
  /** Start and duration of each. */
  tasks: [number, number][];
}

/** Runs in the page before anything of it. */
function watch(): void {
  const seen = window as unknown as Watched;
  Object.assign(seen, { first: 0, largest: 0, tasks: [] });
  const follow = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  follow("paint", ({ startTime }) => {
    seen.first ||= startTime;
  });
  follow("largest-contentful-paint", ({ startTime }) => {
    seen.largest = startTime;
  });
  follow("longtask", ({ startTime, duration }) => seen.tasks.push([startTime, duration]));
  let last: Element | undefined;
  const look = () => {
    // Looked for once, because looking takes time too.
    if (document.readyState !== "loading") {
      last ??= [...document.querySelectorAll("main button, main a, main input")].at(-1);
    }
    // React marks what it has taken over.
    const taken = last && Object.keys(last).some((key) => key.startsWith("__reactProps"));
    if (taken) setTimeout(() => Object.assign(seen, { reacts: performance.now() }));
    else setTimeout(look, 5);
  };
  look();
}

function toMedians(times: readonly Times[]): Times {
  const median = (what: keyof Times) => {
    const sorted = times.map((one) => one[what]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return { largest: median("largest"), reacts: median("reacts"), blocked: median("blocked") };
}
