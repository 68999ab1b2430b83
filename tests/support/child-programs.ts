import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { listNodeOptions, PROJECT } from "./console/console-build";

/** Names the folder of a run's bundled programs. */
const FOLDER = "TEST_PROGRAMS_FOLDER";
/** Programs that the server tests often start as processes. `npm run studio` is started through `npm`. */
const PROGRAMS = [
  "prisma/backup.ts",
  "prisma/doctor.ts",
  "prisma/migrate.ts",
  "prisma/reconcile.ts",
  "prisma/restore.ts",
  "prisma/verify-ledger.ts",
  "prisma/verify-provider.ts",
  "tests/support/database/database-process.ts",
  "tests/support/money/boundary-console.ts",
];

/**
 * Bundles the programs once for a run, as Remix bundles the console (`globalSetup` of Vitest's server project). A
 * bundle needs half a second of processor time to start, `tsx` one and a half.
 */
export default async function bundlePrograms(): Promise<() => void> {
  const { build } = await import("esbuild");
  const cache = join(PROJECT, ".cache");
  mkdirSync(cache, { recursive: true });
  // Inside the project, where they find the packages and the migrations.
  const folder = mkdtempSync(join(cache, "test-programs-"));
  const settings = {
    absWorkingDir: PROJECT,
    outdir: folder,
    entryNames: "[name]",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    alias: { "~": join(PROJECT, "app") },
  } as const;
  await build({ ...settings, entryPoints: PROGRAMS, splitting: true, outExtension: { ".js": ".mjs" } });
  // The threads for heavy work load this file from the program's folder.
  await build({ ...settings, entryPoints: { "heavy-worker": "app/heavy-worker.server.ts" } });
  process.env[FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * The arguments of `node` that start one of our TypeScript programs. The file is relative to the project's folder
 * or absolute.
 */
export function wordsToStart(file: string): string[] {
  const name = relative(PROJECT, resolve(PROJECT, file));
  const folder = process.env[FOLDER];
  return folder && PROGRAMS.includes(name)
    ? [...listNodeOptions(), join(folder, `${basename(name, ".ts")}.mjs`)]
    : ["--import", "tsx", file];
}
