import { afterAll, vi } from "vitest";
import { loadEnvironment } from "./console/environment";

/**
 * Lets a worker run one file after another (`isolate: false`): each begins with modules, environment, clock and database
 * of its own. Packages stay loaded, which costs a second of a processor and more for each file otherwise.
 */
const before = { ...process.env };
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
