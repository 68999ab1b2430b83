import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { PROJECT } from "./console/console-build";

/** Names the folder of a run's bundled programs. */
const FOLDER = "TEST_PROGRAMS_FOLDER";
/** What the server's tests start often as a process of its own. `npm run studio` stays as `npm` starts it. */
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
 * Bundles the programs once for a run, as Remix bundles the console (`globalSetup` of Vitest's server project): one
 * starts in half a second of a processor then, and by `tsx` in one and a half.
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
  // The threads for heavy work look for this name beside the program.
  await build({ ...settings, entryPoints: { "heavy-worker": "app/heavy-worker.server.ts" } });
  process.env[FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The words after `node` that start a TypeScript program of ours, named from the project's folder or in full. */
export function wordsToStart(file: string): string[] {
  const name = relative(PROJECT, resolve(PROJECT, file));
  const folder = process.env[FOLDER];
  return folder && PROGRAMS.includes(name)
    ? [join(folder, `${basename(name, ".ts")}.mjs`)]
    : ["--import", "tsx", file];
}
