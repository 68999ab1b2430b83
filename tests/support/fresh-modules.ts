import { afterAll, vi } from "vitest";
import { loadEnvironment } from "./console/environment";

/**
 * Resets modules, environment, clock and database around each test file (`setupFiles` of Vitest), because a worker runs
 * many files (`isolate: false`). Packages stay loaded: loading them takes a second of processor time or more.
 */
const before = { ...process.env };
// Modules that are loaded again listen to the process's exit again.
process.setMaxListeners(0);
vi.resetModules();

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await loadEnvironment({});
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
