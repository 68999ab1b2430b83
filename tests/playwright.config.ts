import { defineConfig } from "playwright/test";
import type { ConsoleOptions } from "./e2e/fixtures";
import { findBrowser } from "./support/browser";

const executablePath = findBrowser();
/** What needs a hand in the database's own clock runs on PostgreSQL alone. */
const ON_POSTGRES = ["main-job.spec.ts", "review.spec.ts"];

/** One scenario, several browsers: with and without JavaScript, and in the three database modes. */
export default defineConfig<ConsoleOptions>({
  testDir: "./e2e",
  globalSetup: "./support/databases.ts",
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
    { name: "script", use: { database: "embedded" }, testIgnore: "review.spec.ts" },
    {
      name: "no-script",
      use: { database: "embedded", javaScriptEnabled: false },
      grepInvert: /@script/,
      testIgnore: "review.spec.ts",
    },
    { name: "postgres", use: { database: "postgres" }, testMatch: ON_POSTGRES },
    {
      name: "postgres-no-script",
      use: { database: "postgres", javaScriptEnabled: false },
      testMatch: ON_POSTGRES,
    },
    { name: "no-database", use: { database: "none" }, testMatch: "main-job.spec.ts" },
    {
      name: "no-database-no-script",
      use: { database: "none", javaScriptEnabled: false },
      testMatch: "main-job.spec.ts",
    },
  ],
});
