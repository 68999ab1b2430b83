import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
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

/** `id` is its file. */
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
  const folder = join(env().spoolFolder, hashDatabase());
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
      await rm(id, { force: true });
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
  for (const file of await listFiles(`${kind}-`, LEFT_OVER)) {
    const found = await stat(file).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_OVER_DAYS * DAY_MS) await rm(file, { force: true });
  }
}

async function readEntries(kind: string, limit: number): Promise<SpoolEntry[]> {
  const files = await listFiles(`${kind}-`, WHOLE);
  const entries = await Promise.all(files.slice(0, limit).map(readEntry));
  return entries.filter((entry) => entry !== null);
}

/** Null when another process has replayed the file, and when it is not JSON: then it is renamed. */
async function readEntry(file: string): Promise<SpoolEntry | null> {
  try {
    return { id: file, content: JSON.parse(await readFile(file, "utf8")) };
  } catch (error) {
    if (isMissing(error)) return null;
    log.error("spool.unreadable", { reason: basename(file), errorName: errorNameOf(error) });
    if (error instanceof SyntaxError) await rename(file, `${file}.unreadable`).catch(() => undefined);
    return null;
  }
}

/** Lists files, oldest first. Throws when a folder exists and cannot be read, because facts may be waiting. */
async function listFiles(start: string, form: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const own of listDatabaseHashes()) {
    const folder = join(env().spoolFolder, own);
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const wanted = names.filter((name) => name.startsWith(start) && form.test(name));
    found.push(...wanted.sort().map((name) => join(folder, name)));
  }
  return found;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Hashes the address of this console's database without its password, which may change. */
export function hashDatabase(): string {
  const { database } = env();
  if (database.kind !== "postgres") return hash(database.kind === "embedded" ? database.folder : "");
  const address = new URL(database.url);
  address.password = "";
  return hash(address.href);
}

/** Lists the hashes of this console's database: that of versions up to 0.14, with the password, and {@link hashDatabase}. */
export function listDatabaseHashes(): string[] {
  const { database } = env();
  const earlier = database.kind === "postgres" ? [hash(database.url)] : [];
  return [...new Set([...earlier, hashDatabase()])];
}

function hash(name: string): string {
  return sha256(name).slice(0, 16);
}
