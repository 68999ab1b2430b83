import { defineConfig } from "playwright/test";
import type { ConsoleOptions } from "./e2e/fixtures";
import { findBrowser } from "./support/browser";

// Log lines of the tests' own processes would hide a failure. `LOG_LEVEL=info npm test` prints them.
process.env.LOG_LEVEL ??= "silent";
process.env.TEST_NODE_OPTIONS = "--liftoff-only";
const executablePath = findBrowser();
/** Scenarios without a database. */
const WITHOUT_DATABASE = /no-database\.spec\.ts$/;
/** Scenarios that the embedded database must pass like PostgreSQL, on the common console. */
const EMBEDDED = /embedded\.spec\.ts$/;
const MAIN_JOB = /main-job\.spec\.ts$/;
const ELSEWHERE = [WITHOUT_DATABASE, EMBEDDED];

/**
 * Scenarios run with JavaScript, on PostgreSQL. Those with `@plain` in their title run again without JavaScript;
 * the other forms are posted over HTTP by `server/platform/plain-pages.test.ts`. The main scenarios run in the
 * other database modes too.
 */
export default defineConfig<ConsoleOptions>({
  testDir: "./e2e",
  globalSetup: ["./support/database/databases.ts", "./support/console/console-process.ts"],
  outputDir: "../test-results",
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Prints failures in full at the end, where a truncated log still has them.
  reporter: [["dot"]],
  // Retries once with a new console, which distinguishes a slow moment of a busy machine from a fault: a test that
  // passes only then is listed as flaky and must be fixed.
  retries: 1,
  // High enough for a busy machine; nothing here is measured by the clock.
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
        // There is no GPU; without this flag Chromium emulates one in a separate process.
        "--disable-gpu",
      ],
    },
    viewport: { width: 1440, height: 900 },
    // Disables transitions, so that elements appear at once.
    contextOptions: { reducedMotion: "reduce" },
    trace: "off",
  },
  // A worker, with its console and its browser, belongs to one project: few projects need few starts.
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
