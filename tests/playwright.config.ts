import { defineConfig } from "playwright/test";
import type { ConsoleOptions } from "./e2e/fixtures";
import { findBrowser } from "./support/browser";

// Log lines of the tests' own processes would bury a failure. `LOG_LEVEL=info npm test` prints it.
process.env.LOG_LEVEL ??= "silent";
const executablePath = findBrowser();
/** What is shown where no database is configured. */
const WITHOUT_DATABASE = /no-database\.spec\.ts$/;
/** What the embedded database must do as PostgreSQL does, and needs no other console. */
const EMBEDDED = /embedded\.spec\.ts$/;
const MAIN_JOB = /main-job\.spec\.ts$/;
const ELSEWHERE = [WITHOUT_DATABASE, EMBEDDED];

/**
 * Scenarios run with JavaScript, on PostgreSQL. Those with `@plain` in their title run again without JavaScript; the other
 * forms are posted over HTTP by `server/platform/plain-pages.test.ts`. The main scenarios run in the other database modes too.
 */
export default defineConfig<ConsoleOptions>({
  testDir: "./e2e",
  globalSetup: ["./support/database/databases.ts", "./support/console/console-process.ts"],
  outputDir: "../test-results",
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Failures are told whole at the end, where a log that is cut off still has them.
  reporter: [["dot"]],
  // Once more, with a console of its own, so that one bad moment of a busy machine is told apart from a fault: what
  // passes only then is listed as flaky and must be fixed.
  retries: 1,
  // For a machine that is busy with other things; nothing here is measured by the clock.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // There is none; without it Chromium does not imitate one in a process of its own.
        "--disable-gpu",
      ],
    },
    viewport: { width: 1440, height: 900 },
    // What appears is there at once.
    contextOptions: { reducedMotion: "reduce" },
    trace: "off",
  },
  // A worker, with its console and its browser, belongs to one project: few projects are few starts.
  projects: [
    { name: "script", use: { database: "postgres" }, testIgnore: ELSEWHERE },
    {
      name: "no-script",
      use: { database: "postgres", javaScriptEnabled: false },
      grep: /@plain/,
      testIgnore: ELSEWHERE,
    },
    { name: "embedded", use: { database: "embedded" }, testMatch: [MAIN_JOB, EMBEDDED] },
    { name: "no-database", use: { database: "none" }, testMatch: [MAIN_JOB, WITHOUT_DATABASE] },
  ],
});
