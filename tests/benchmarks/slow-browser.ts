import { type Browser, chromium, type Page } from "playwright";
import { seedLife } from "../../prisma/seed-life";
import { renderSamplePdf } from "../emulators/mail-provider/sample-pdf";
import { findBrowser } from "../support/browser";
import { buildConsole } from "../support/console/console-build";
import { makeSessionCookie } from "../support/console/session-cookie";
import { startWholeConsole } from "../support/console/whole-console";

/** A mobile line; each request waits 60 ms. */
const SLOW_LINE = { offline: false, latency: 60, downloadThroughput: 9e6 / 8, uploadThroughput: 9e6 / 8 };
/** Slowdown of the measuring machine to the speed of a small laptop. */
export const SLOW_PROCESSOR = 4;

export interface SeededConsole {
  origin: string;
  browser: Browser;
  /** Signs in as the person with the most mail. */
  cookie: string;
  close: () => Promise<void>;
}

/** Starts the console with six weeks of mail, and a browser. */
export async function startSeededConsole(): Promise<SeededConsole> {
  const { origin, provider, databaseUrl, close } = await startWholeConsole({
    folder: await buildConsole(),
    variables: { RECONCILE_INTERVAL_MS: "0", RATE_LIMITS: "off" },
  });
  const cookie = await makeSessionCookie("ana");
  await fetch(`${origin}/readyz`);
  const { openDatabase } = await import("../../app/platform/database/open-database.server");
  const database = openDatabase(
    { kind: "postgres", url: databaseUrl ?? "" },
    { use: "the seed", shared: false },
  );
  const printed = new Uint8Array(
    await renderSamplePdf({ widthPt: 432, heightPt: 288, specimen: false, pages: [{}, {}] }),
  );
  await database.run((db) => seedLife(db, `${provider.origin}/v1`, async () => printed));
  await database.close();
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  return { origin, browser, cookie, close: () => browser.close().then(close) };
}

/** Opens an empty page in a new profile, with the given line and processor. */
export async function openPage(
  { browser, origin, cookie }: Pick<SeededConsole, "browser" | "origin" | "cookie">,
  { slowLine, slowBy }: { slowLine: boolean; slowBy: number },
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const [name = "", ...value] = cookie.split("=");
  await context.addCookies([{ name, value: value.join("="), url: origin }]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  if (slowLine) await devtools.send("Network.emulateNetworkConditions", SLOW_LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowBy });
  return page;
}
