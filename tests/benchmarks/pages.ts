import { parseArgs } from "node:util";
import pg from "pg";
import { type Browser, chromium } from "playwright";
import { findBrowser } from "../support/browser";
import { buildConsole } from "../support/console/console-build";
import { startConsole } from "../support/console/console-process";
import { makeSessionCookie } from "../support/console/session-cookie";
import { startPostgres } from "../support/database/postgres";
import { fillTables } from "./fill";
import { findQuantile, printTable } from "./measure";
import { startFloor } from "./processes";

/** A slow phone: its line, and how many times slower its processor is. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const SLOWER = 4;
const RESPONSES = 20_000;
const START_LIMIT_MS = 60_000;

interface Times {
  /** Milliseconds until the largest element in view is painted. */
  largest: number;
  /** Milliseconds until React has taken over what is seen. */
  reacts: number;
  /** What tasks of more than 50 ms took beyond that, from the first paint until the page reacts. */
  blocked: number;
}

/**
 * Measures what a person waits for when a page is opened for the first time on a slow phone, beside a bare Remix app.
 * Pages are opened in turns, each in a new browser context. `--rounds 3` is shorter.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: "string", default: "7" } } });
  const postgres = await startPostgres({ own: true });
  const url = await postgres.createDatabase();
  const floor = await startFloor();
  const variables = { DATABASE_URL: url, STANNP_API_KEY: "bench-key", RECONCILE_INTERVAL_MS: "0" };
  const { origin, ...served } = await startConsole(variables, await buildConsole());
  const executablePath = findBrowser();
  const browser = await chromium.launch(executablePath ? { executablePath } : {});
  try {
    await fetch(`${origin}/readyz`);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await fillTables(client, RESPONSES);
    const { rows } = await client.query("SELECT id FROM sends WHERE user_id = 'auth-bench' LIMIT 1");
    await client.end();
    const pages = {
      "bare Remix, 50 rows": `${floor.origin}/`,
      Builder: `${origin}/`,
      "Builder, a postcard": `${origin}/?preset=postcards.create`,
      "Stored Responses": `${origin}/stored`,
      "User Credits": `${origin}/users`,
      Mail: `${origin}/mail?user_id=auth-bench`,
      Piece: `${origin}/sends/${rows[0].id}`,
    };
    const cookie = await makeSessionCookie("bench");
    const times = new Map(Object.keys(pages).map((name) => [name, [] as Times[]]));
    // The first round compiles; it does not count.
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [name, address] of Object.entries(pages)) {
        const page = await openPage(browser, address, cookie);
        if (round > 0) times.get(name)?.push(page);
      }
    }
    const [base] = times.values();
    const table = [...times].map(([name, own]) => [
      name,
      ...(["largest", "reacts", "blocked"] as const).flatMap((what) => {
        const [median = 0, bare = 0] = [own, base ?? []].map((some) =>
          findQuantile(some.map((one) => one[what])),
        );
        return [median.toFixed(0), (median / Math.max(1, bare)).toFixed(2)];
      }),
    ]);
    printTable([["ms, medians", "largest paint", "times", "reacts", "times", "blocked", "times"], ...table]);
  } finally {
    await browser.close();
    await served.stop();
    await floor.stop();
    await postgres.close();
  }
}

async function openPage(browser: Browser, address: string, cookie: string): Promise<Times> {
  const context = await browser.newContext();
  try {
    const [name = "", ...value] = cookie.split("=");
    await context.addCookies([{ name, value: value.join("="), url: new URL(address).origin }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", LINE);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    // The compiler wraps named functions in this one.
    await page.addInitScript("globalThis.__name = (named) => named");
    await page.addInitScript(watch);
    const answer = await page.goto(address);
    if (!answer?.ok()) throw new Error(`${address} answered ${answer?.status()}.`);
    await page.waitForFunction(() => "reacts" in window, null, { timeout: START_LIMIT_MS });
    const { first, largest, reacts, tasks } = await page.evaluate(() => {
      const { first, largest, reacts, tasks } = window as unknown as Watched;
      return { first, largest, reacts, tasks };
    });
    const blocking = tasks.filter(([start]) => start + 50 >= first && start <= reacts);
    return { largest, reacts, blocked: blocking.reduce((sum, [, duration]) => sum + duration - 50, 0) };
  } finally {
    await context.close();
  }
}

interface Watched {
  first: number;
  largest: number;
  reacts: number;
  /** Start and duration of each long task. */
  tasks: [number, number][];
}

/** Runs in the page before its own scripts. */
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
    // Found once, because finding it takes time too.
    if (document.readyState !== "loading")
      last ??= [...document.querySelectorAll("main button, main a, main input")].at(-1);
    // React marks the elements that it has taken over.
    const taken = last && Object.keys(last).some((key) => key.startsWith("__reactProps"));
    if (taken) setTimeout(() => Object.assign(seen, { reacts: performance.now() }));
    else setTimeout(look, 5);
  };
  look();
}
