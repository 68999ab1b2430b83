import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { buildProject, copyProject, PROJECT } from "../support/console/console-build";
import { findFreePort } from "../support/console/console-process";

/** A server in its own process. */
export interface MeasuredProcess {
  origin: string;
  pid: number;
  /** Time from its start to its first answer. */
  startMs: number;
  stop(): Promise<unknown>;
}

const FLOOR = join(PROJECT, "tests/benchmarks/floor");
const SERVE = join(PROJECT, "node_modules/@remix-run/serve/dist/cli.js");
const START_LIMIT_MS = 60_000;

/** Starts `node` with these arguments and waits until it answers `path` with success. */
export async function startMeasured(
  words: readonly string[],
  { folder, path, env }: { folder: string; path: string; env: Record<string, string> },
): Promise<MeasuredProcess> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", PORT: String(port), ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(origin + path).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null || performance.now() - startedAt > START_LIMIT_MS) {
      child.kill("SIGKILL");
      throw new Error(`${words.join(" ")} did not start.`);
    }
    await wait(5);
  }
  return {
    origin,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** Starts the bare Remix app, built as the console is, with `remix-serve`. */
export async function startFloor(env: Record<string, string> = {}): Promise<MeasuredProcess> {
  return startMeasured([SERVE, "build/server/index.js"], {
    folder: await buildFloor(),
    path: "/healthz",
    env,
  });
}

/** Builds the bare Remix app unless the same source is built already. Returns the folder of `build/`. */
export async function buildFloor(): Promise<string> {
  const hash = createHash("sha256").update(PROJECT);
  const sources = readdirSync(FLOOR, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = sources.map(({ parentPath, name }) => join(parentPath, name)).sort();
  for (const path of [join(PROJECT, "package.json"), ...paths]) hash.update(path).update(readFileSync(path));
  const folder = join(tmpdir(), `mailroom-floor-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  await copyProject(PROJECT, fresh, ["package.json", "tsconfig.json"]);
  await copyProject(FLOOR, fresh, ["app", "vite.config.ts"], { packages: false });
  await buildProject(fresh);
  await rename(fresh, folder);
  return folder;
}
