import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BackgroundTask } from "./background-runner.server";
import { env } from "./env.server";
import { sha256 } from "./hash.server";
import { errorNameOf, log } from "./log.server";
import { type Outcome, succeed } from "./outcome";
import { DAY_MS } from "./time";

/**
 * Facts that must not be lost while the database is down. Each is a file, written before an answer relies on it and removed
 * once the database has it, so that it survives a kill.
 */

type SpoolEntry = { id: string; content: unknown };

const BATCH_SIZE = 50;
const WHOLE = /\.json$/;
/** Half-written and unreadable files. They are kept for inspection, then removed, because they may hold an address. */
const LEFT_OVER = /\.(part|unreadable)$/;
const LEFT_OVER_DAYS = 30;
/** Number of facts written by this process, so that facts of one millisecond stay in order. */
let written = 0;

/**
 * Stores a fact for {@link replaySpool}. False when it cannot be written.
 * @param kind kind of fact, in lower case and `_`
 * @param content JSON; applying it twice must be harmless
 */
export async function writeSpool(kind: string, content: unknown): Promise<boolean> {
  const folder = spoolFolder();
  const name = `${kind}-${Date.now()}-${String(++written).padStart(9, "0")}-${randomUUID()}.json`;
  const draft = join(folder, `${name}.part`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(content));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
    return true;
  } catch (error) {
    log.error("spool.not_written", { event: kind, errorName: errorNameOf(error) });
    return false;
  }
}

/** Creates the task that applies the facts of one kind, oldest first. `apply` succeeds also for one stored before. */
export function replaySpool(
  kind: string,
  apply: (content: unknown) => Promise<Outcome<unknown>>,
): BackgroundTask<SpoolEntry> {
  return {
    name: `replay_${kind}`,
    batchSize: BATCH_SIZE,
    atOnce: 1,
    claim: async (limit) => succeed(await readEntries(kind, limit)),
    async work({ id, content }) {
      const applied = await apply(content);
      if (!applied.ok) return applied;
      await rm(join(spoolFolder(), id), { force: true });
      log.info("spool.replayed", { event: kind });
      return applied;
    },
    async cleanUp() {
      await removeLeftOver(kind);
      return succeed(null);
    },
  };
}

/** Counts the facts on this disk that the database does not have yet. */
export async function countSpooled(): Promise<number> {
  return (await listFiles("", WHOLE)).length;
}

async function removeLeftOver(kind: string): Promise<void> {
  for (const name of await listFiles(`${kind}-`, LEFT_OVER)) {
    const file = join(spoolFolder(), name);
    const found = await stat(file).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_OVER_DAYS * DAY_MS) await rm(file, { force: true });
  }
}

async function readEntries(kind: string, limit: number): Promise<SpoolEntry[]> {
  const names = await listFiles(`${kind}-`, WHOLE);
  const entries = await Promise.all(names.slice(0, limit).map(readEntry));
  return entries.filter((entry) => entry !== null);
}

/** Null when another process has replayed the file, and when it is not JSON: then it is renamed. */
async function readEntry(name: string): Promise<SpoolEntry | null> {
  const file = join(spoolFolder(), name);
  try {
    return { id: name, content: JSON.parse(await readFile(file, "utf8")) };
  } catch (error) {
    if (isMissing(error)) return null;
    log.error("spool.unreadable", { reason: name, errorName: errorNameOf(error) });
    if (error instanceof SyntaxError) await rename(file, `${file}.unreadable`).catch(() => undefined);
    return null;
  }
}

/** Lists names of files, oldest first. Throws when the folder exists and cannot be read, because facts may be waiting. */
async function listFiles(start: string, form: RegExp): Promise<string[]> {
  try {
    const names = await readdir(spoolFolder());
    return names.filter((name) => name.startsWith(start) && form.test(name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Separates the facts of consoles with different databases on one disk. */
function spoolFolder(): string {
  return join(env().spoolFolder, hashDatabase());
}

/** Hashes the address of this console's database. */
export function hashDatabase(): string {
  const { database } = env();
  const name =
    database.kind === "postgres" ? database.url : database.kind === "embedded" ? database.folder : "";
  return sha256(name).slice(0, 16);
}
