import { defineConfig } from "playwright/test";
import type { ConsoleOptions } from "./e2e/fixtures";
import { findBrowser } from "./support/browser";

const executablePath = findBrowser();
/** What needs a hand in the database's own clock runs on PostgreSQL alone. */
const NEEDS_POSTGRES = "decision.spec.ts";

/**
 * A scenario runs with and without JavaScript, on the embedded database. `@script` in its name: what it shows needs
 * JavaScript. `@once`: it looks at what the server alone makes of it, or posts a form that another scenario posts without
 * JavaScript too, so a second run could not differ; with JavaScript it shows the same page, which React checks.
 * The main scenario runs in the two other database modes too.
 */
export default defineConfig<ConsoleOptions>({
  testDir: "./e2e",
  globalSetup: "./support/database/databases.ts",
  outputDir: "../test-results",
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Failures are told whole at the end, where a log that is cut off still has them.
  reporter: [["dot"]],
  // Once more, with a console of its own, so that one bad moment of a busy machine is told apart from a fault: what
  // passes only then is told as flaky at the end, and is to be mended.
  retries: 1,
  // For a machine that is busy with other things; nothing here is measured by the clock.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    viewport: { width: 1440, height: 900 },
    trace: "off",
  },
  projects: [
    { name: "script", use: { database: "embedded" }, testIgnore: NEEDS_POSTGRES },
    {
      name: "no-script",
      use: { database: "embedded", javaScriptEnabled: false },
      grepInvert: /@script|@once/,
      testIgnore: NEEDS_POSTGRES,
    },
    { name: "postgres", use: { database: "postgres" }, testMatch: ["main-job.spec.ts", NEEDS_POSTGRES] },
    {
      name: "postgres-no-script",
      use: { database: "postgres", javaScriptEnabled: false },
      testMatch: NEEDS_POSTGRES,
    },
    { name: "no-database", use: { database: "none" }, testMatch: "main-job.spec.ts" },
  ],
});
