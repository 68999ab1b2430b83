import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProject, copyProject, PROJECT } from "../support/console/console-build";
import { findFreePort } from "../support/console/console-process";
import { type MeasuredProcess, startMeasured } from "./measured-process";

const SOURCE = join(PROJECT, "tests/benchmarks/floor");
const SERVE = join(PROJECT, "node_modules/@remix-run/serve/dist/cli.js");

/** Builds the bare Remix app as ours is built, and starts it by `remix-serve`. */
export async function startFloor(env: Record<string, string>): Promise<MeasuredProcess> {
  const folder = await buildFloor();
  const port = await findFreePort();
  return startMeasured([SERVE, "build/server/index.js"], { folder, port, path: "/healthz", env });
}

/** Gives the folder with its `build/`. */
export async function buildFloor(): Promise<string> {
  const folder = join(tmpdir(), `mailroom-floor-${hashSource()}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  await copyProject(PROJECT, fresh, ["package.json", "tsconfig.json"]);
  await copyProject(SOURCE, fresh, ["app", "vite.config.ts"], { packages: false });
  await buildProject(fresh);
  await rename(fresh, folder);
  return folder;
}

function hashSource(): string {
  const hash = createHash("sha256")
    .update(PROJECT)
    .update(readFileSync(join(PROJECT, "package.json")));
  const names = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).sort();
  for (const name of names) {
    const path = join(SOURCE, name);
    if (statSync(path).isFile()) hash.update(name).update(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 16);
}
