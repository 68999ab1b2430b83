import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import dotenv from "dotenv";
import type { Finding } from "../app/credits/ledger/verify-ledger.server";
import { BackupError } from "../app/platform/database/backup.server";
import { findFolderUse } from "../app/platform/database/embedded.server";
import { type Database, openDatabase } from "../app/platform/database/open-database.server";
import { COMMAND_PROBE_MS } from "../app/platform/database/postgres.server";
import { findSocketFolder, isServed } from "../app/platform/database/studio-socket.server";
import { type DatabaseTarget, EnvironmentError, env } from "../app/platform/env.server";

/** Common parts of the commands: variables, the database that they use, and their failures. */

/** Ends a command; the message is for the operator. */
export class Refusal extends Error {}

export const NO_DATABASE =
  "No database is configured. Set MAILROOM_DATABASE_URL, POSTGRES_URL or DATABASE_URL, in .env or outside.";
const DOOR_WAIT_MS = 3_000;
const DOOR_STEP_MS = 100;
const FILE_PROBLEMS: Record<string, string> = {
  EACCES: "may not be used by this account.",
  EDQUOT: "does not fit: the disk is full.",
  EEXIST: "exists already.",
  EISDIR: "is a folder.",
  ENOENT: "does not exist.",
  ENOSPC: "does not fit: the disk is full.",
  ENOTDIR: "is not in a folder.",
  EPERM: "may not be used by this account.",
  EROFS: "is on a disk that is read-only.",
};

/**
 * Runs a command with the variables of `.env` and sets its exit code. Prints one sentence for an error.
 * @param undone starts that sentence: "Nothing was compared."
 * @param code exit code of a failure
 */
export async function runCommand(undone: string, code: number, work: () => Promise<number>): Promise<void> {
  dotenv.config({ quiet: true });
  process.env.LOG_LEVEL ??= "silent";
  // A command does not listen or sign, so it needs none of the secrets that a production console must have.
  process.env.NODE_ENV = "development";
  const fail = (error: unknown) => {
    process.stderr.write(`${undone} ${formatProblem(error)}\n`);
    process.exitCode = code;
  };
  // The reader closed the pipe, as `head` does.
  process.stdout.on("error", () => process.exit(code));
  process.once("uncaughtException", (error) => {
    fail(error);
    process.exit();
  });
  await work().then((exitCode) => {
    process.exitCode = exitCode;
  }, fail);
}

/** Formats an error as one sentence. */
export function formatProblem(error: unknown): string {
  if (!(error instanceof Error)) return "The reason is unknown.";
  if ([Refusal, BackupError, EnvironmentError].some((kind) => error instanceof kind)) {
    return error.message.replaceAll("\n", " ");
  }
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const problem = code === undefined ? undefined : FILE_PROBLEMS[code];
  if (problem !== undefined) return `${dest ?? path ?? "The file"} ${problem}`;
  // Prisma's reason is on the last line.
  const text = error.message.trim().split("\n").at(-1)?.trim() || error.name;
  return /[.!]$/.test(text) ? text : `${text}.`;
}

/**
 * The configured database, or the socket of a console in development that has the embedded one open.
 * @throws Refusal when there is none
 */
export async function findTarget(): Promise<DatabaseTarget> {
  const target = env().database;
  if (target.kind === "none") throw new Refusal(NO_DATABASE);
  if (target.kind === "postgres") return target;
  if (target.folder === "memory") {
    throw new Refusal("pglite://memory exists only inside the console process.");
  }
  if (!existsSync(target.folder)) {
    throw new Refusal(`There is no embedded database in ${target.folder} yet. Start the console once.`);
  }
  // A killed console leaves its socket behind; one that starts locks the folder before it creates its own.
  if ((await findFolderUse(target.folder)) === null) return target;
  for (let waited = 0; !isServed(target.folder); waited += DOOR_STEP_MS) {
    if (waited >= DOOR_WAIT_MS) return target;
    await wait(DOOR_STEP_MS);
  }
  const host = encodeURIComponent(findSocketFolder(target.folder));
  return { kind: "postgres", url: `postgres://postgres@localhost/postgres?host=${host}`, single: true };
}

/** Opens a database for a command. Does not migrate one that a console has open. */
export async function withTarget<T>(use: string, work: (run: Database["run"]) => Promise<T>): Promise<T> {
  const target = await findTarget();
  const isOpen = target.kind === "postgres" && target.single;
  const settings = { use, shared: false, probeMs: COMMAND_PROBE_MS };
  const database = openDatabase(target, { ...settings, ...(isOpen ? { isReplica: true } : {}) });
  try {
    return await work(database.run);
  } finally {
    await database.close();
  }
}

/** Prints the findings in the books, one line per rule and one per problem. True when there are no problems. */
export function printFindings(findings: readonly Finding[]): boolean {
  for (const finding of findings) print(formatFinding(finding));
  const broken = findings.filter(({ ok }) => !ok).map(({ id }) => id);
  print(broken.length === 0 ? "The books are right." : `The books are WRONG: ${broken.join(", ")}.`);
  return broken.length === 0;
}

function formatFinding({ id, rule, ok, checked, broken, problems }: Finding): string {
  const head = `${id.padEnd(4)}${ok ? "ok" : "BROKEN"}  ${rule} ${checked} checked, ${broken} broken.`;
  const more = broken > problems.length ? [`and ${broken - problems.length} more`] : [];
  return [head, ...[...problems, ...more].map((line) => `      ${line}`)].join("\n");
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
