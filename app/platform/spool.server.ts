import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BackgroundTask } from "./background-runner.server";
import { type DatabaseTarget, env } from "./env.server";
import { errorNameOf, log } from "./log.server";
import { type Outcome, succeed } from "./outcome";
import { DAY_MS } from "./time";

/**
 * Facts that must not be lost while the database is away: each is a small file, written before an answer relies on it,
 * and removed once the database has it. It outlives a kill, and a restart on the same disk.
 */

/** A file of the spool. */
interface SpoolEntry {
  /** Its name. */
  id: string;
  content: unknown;
}

const BATCH_SIZE = 50;
/** A half-written file, and one that cannot be read: for a person to look at, then removed, because it may hold an address. */
const LEFT_OVER = /\.(part|unreadable)$/;
const LEFT_OVER_DAYS = 30;
/** Facts of this process, so that those of one millisecond stay in order. */
let written = 0;

/**
 * Keeps a fact for {@link replaySpool}. False when the disk does not take it; then it is only in the log.
 * @param kind lower case and `_`: what the fact is
 * @param content JSON; applying it twice must do no more than once
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

/**
 * The background task that brings facts of one kind into the database, oldest first.
 * @param apply succeeds when the fact is stored, or was stored before
 */
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

/** How many facts wait on this disk for the database; a backup does not have them. */
export async function countSpooled(): Promise<number> {
  const names = await listSpool();
  return names.filter((name) => name.endsWith(".json")).length;
}

async function removeLeftOver(kind: string): Promise<void> {
  const folder = spoolFolder();
  const names = await listSpool();
  for (const name of names.filter((one) => one.startsWith(`${kind}-`) && LEFT_OVER.test(one))) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_OVER_DAYS * DAY_MS) await rm(file, { force: true });
  }
}

async function readEntries(kind: string, limit: number): Promise<SpoolEntry[]> {
  const folder = spoolFolder();
  const names = await listSpool();
  const own = names.filter((name) => name.startsWith(`${kind}-`) && name.endsWith(".json")).sort();
  const entries = await Promise.all(own.slice(0, limit).map((name) => readEntry(folder, name)));
  return entries.filter((entry) => entry !== null);
}

/** Null for a file that another process has replayed meanwhile, and for one that is no JSON: it is set aside. */
async function readEntry(folder: string, name: string): Promise<SpoolEntry | null> {
  try {
    return { id: name, content: JSON.parse(await readFile(join(folder, name), "utf8")) };
  } catch (error) {
    if (isMissing(error)) return null;
    log.error("spool.unreadable", { reason: name, errorName: errorNameOf(error) });
    if (error instanceof SyntaxError) {
      await rename(join(folder, name), join(folder, `${name}.unreadable`)).catch(() => undefined);
    }
    return null;
  }
}

/** The names in the folder; none while there is no folder. Throws when it cannot be read: then facts may be waiting. */
async function listSpool(): Promise<string[]> {
  try {
    return await readdir(spoolFolder());
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Consoles with different databases on one disk do not read each other's facts. */
function spoolFolder(): string {
  const { spoolFolder: root, database } = env();
  return join(root, createHash("sha256").update(nameOf(database)).digest("hex").slice(0, 16));
}

function nameOf(database: DatabaseTarget): string {
  if (database.kind === "postgres") return database.url;
  return database.kind === "embedded" ? database.folder : "";
}
