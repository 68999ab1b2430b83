import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SlowFilesFirst } from "./support/slow-files-first";

// The product's log would hide a failure. `LOG_LEVEL=info npm test` prints it.
process.env.LOG_LEVEL ??= "silent";
// Optimizing the WebAssembly of Prisma and PGlite takes more processor time than most processes of tests run it.
process.env.TEST_NODE_OPTIONS = "--liftoff-only";
const root = fileURLToPath(new URL("..", import.meta.url));

const server = {
  globalSetup: ["tests/support/database/databases.ts", "tests/support/child-programs.ts"],
  execArgv: [process.env.TEST_NODE_OPTIONS],
  // Only a hanging test takes this long, even on a busy machine; speed is measured separately.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { interval: 100, timeout: 60_000 } },
};

export default defineConfig({
  root,
  resolve: { alias: { "~": `${root}app` } },
  test: {
    // The server's tests mostly wait for processes, leases and time limits, so more files run than there are
    // processors.
    maxWorkers: 2 * availableParallelism(),
    // Loading packages for every file took a third of the processor time. `fresh-modules.ts` resets the rest.
    isolate: false,
    setupFiles: ["tests/support/fresh-modules.ts"],
    sequence: { sequencer: SlowFilesFirst },
    // On a busy machine a worker that ran many files needs more than Vitest's ten seconds to end.
    teardownTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.ts"],
          pool: "threads",
          testTimeout: 120_000,
        },
      },
      { extends: true, test: { ...server, name: "server", include: ["tests/server/**/*.test.ts"] } },
    ],
  },
});
