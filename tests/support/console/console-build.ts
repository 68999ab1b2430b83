import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The project that these tests belong to. */
export const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));
/** Options of Node for processes that tests start. The configuration of a run sets the variable. */
export const listNodeOptions = () => process.env.TEST_NODE_OPTIONS?.split(" ") ?? [];
/** Files and folders that the build depends on. */
const SOURCES = [
  "app",
  "prisma",
  "public",
  "package.json",
  "postcss.config.js",
  "remix.config.js",
  "tsconfig.json",
  "vite.config.ts",
];
const PREFIX = "mailroom-console-";
const KEPT_MS = 3_600_000;

/**
 * Builds the working tree for production in a folder of its own and returns the folder, for `startConsole`. Reuses
 * the build of an unchanged tree.
 */
export function buildConsole(): Promise<string> {
  building ??= buildOnce();
  return building;
}

/** The build that is under way, shared by the tests of one file. */
let building: Promise<string> | undefined;

async function buildOnce(): Promise<string> {
  const folder = join(tmpdir(), `${PREFIX}${hashSources()}`);
  const lock = `${folder}.lock`;
  // Test files start at the same time: one of them builds while the others wait.
  while (!existsSync(folder)) {
    if (!(await takeLock(lock))) {
      await wait(200);
      continue;
    }
    try {
      // Another process may have finished the build before this one took the lock.
      if (existsSync(folder)) break;
      removeOldBuilds();
      const fresh = `${folder}.${process.pid}`;
      await copyProject(PROJECT, fresh, SOURCES);
      await buildProject(fresh);
      await rename(fresh, folder);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  utimesSync(folder, new Date(), new Date());
  return folder;
}

/** Writes this process's id into the lock. False when a living process holds it; removes the lock of a killed one. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const holder = Number(await readFile(lock, "utf8").catch(() => ""));
    if (holder && !isAlive(holder)) rmSync(lock, { force: true });
    return false;
  }
}

/** True while a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Builds the Remix app of a folder for production. */
export async function buildProject(folder: string): Promise<void> {
  const words = ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"];
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production", NO_COLOR: "1" };
  try {
    await promisify(execFile)(process.execPath, words, { cwd: folder, env });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const { stderr = "" } = error as { stderr?: string };
    throw new Error(`The app cannot be built:\n${stderr.slice(0, 2_000)}`);
  }
}

/** Copies a part of a project to a place where it can be built and run, and links its packages. */
export async function copyProject(
  from: string,
  to: string,
  names: readonly string[],
  { packages = true } = {},
): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of names) await cp(join(from, name), join(to, name), { recursive: true });
  if (packages) symlinkSync(join(from, "node_modules"), join(to, "node_modules"));
}

function hashSources(): string {
  const hash = createHash("sha256").update(PROJECT);
  const files = SOURCES.flatMap((name) => listFiles(join(PROJECT, name)));
  for (const file of files.sort()) hash.update(file).update("\0").update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}

function removeOldBuilds(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(PREFIX)) continue;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
