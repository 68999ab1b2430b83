import * as fs from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import { PrismaClient } from "../../../prisma/client/client";
import { errorNameOf, log } from "../log.server";
import { type Connection, TRANSACTION_LIMITS } from "./client";
import { serveStudio } from "./studio-socket.server";

/** The folder is neither empty nor a database. Nothing in it was changed. */
export class ForeignFolderError extends Error {}

const LOCK_WAIT_MS = 1_500;
/** Marks a folder whose database is being created, so that the next start discards it. */
const UNFINISHED = "mailroom.unfinished";

/**
 * Opens PostgreSQL in this process, in memory or in `folder`, which is created with its parents and locked for this
 * process. Committed data survives `kill -9`.
 * @throws FolderInUseError, ForeignFolderError
 */
export async function openEmbedded(
  folder: string | "memory",
  settings: { use: string; shared: boolean },
): Promise<Connection> {
  if (folder === "memory") {
    const database = await createDatabase(undefined);
    return connect(database, () => database.close());
  }
  const path = resolve(folder);
  // The engine creates files that every account may read, so the folder must keep others out.
  fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  fs.chmodSync(path, 0o700);
  const unlock = await lockFolder(path, settings.use, LOCK_WAIT_MS);
  try {
    const database = await openFolder(path);
    const stopSharing = settings.shared ? await share(database, path) : async () => undefined;
    return await connect(database, async () => {
      try {
        await stopSharing();
        if (!database.closed) await database.close();
      } finally {
        unlock();
      }
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openFolder(path: string): Promise<PGlite> {
  const unfinished = join(path, UNFINISHED);
  const found = fs.readdirSync(path).filter((name) => !name.startsWith("mailroom.lock"));
  if (found.includes(UNFINISHED)) {
    for (const name of found) {
      if (name !== UNFINISHED) fs.rmSync(join(path, name), { recursive: true, force: true });
    }
  } else if (found.includes("PG_VERSION")) {
    return createDatabase(path);
  } else if (found.length > 0) {
    throw new ForeignFolderError("The folder of the embedded database is not empty and holds no database.");
  }
  fs.writeFileSync(unfinished, "");
  const database = await createDatabase(path);
  fs.rmSync(unfinished);
  return database;
}

/** Loads the engine here, because a console with a PostgreSQL server does not need it. */
async function createDatabase(dataDir: string | undefined): Promise<PGlite> {
  const [{ PGlite }, { pg_trgm }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite/contrib/pg_trgm"),
  ]);
  return PGlite.create({ ...(dataDir ? { dataDir } : {}), extensions: { pg_trgm } });
}

async function share(database: PGlite, path: string): Promise<() => Promise<void>> {
  try {
    return await serveStudio(database, path);
  } catch (error) {
    log.warn("studio.sharing_failed", { errorName: errorNameOf(error) });
    return async () => undefined;
  }
}

async function connect(database: PGlite, close: () => Promise<void>): Promise<Connection> {
  const { PrismaPGlite } = await import("pglite-prisma-adapter");
  return {
    client: new PrismaClient({ adapter: new PrismaPGlite(database), transactionOptions: TRANSACTION_LIMITS }),
    // A database in this process cannot stop answering alone.
    guard: (work) => work,
    withSession: (work) =>
      work({
        query: async (sql, values) => {
          const results = values ? [await database.query(sql, values)] : await database.exec(sql);
          return (results.at(-1)?.rows ?? []) as Record<string, unknown>[];
        },
      }),
    close,
  };
}

/**
 * File whose lock keeps out a second process, because two on one embedded database silently lose committed writes. The
 * operating system releases it when the process ends, even by `kill -9`. Its content only names the owner.
 */
const LOCK_FILE = "mailroom.lock";
const RETRY_MS = 100;
/** Position after the text, because Windows prevents reading locked bytes. */
const LOCKED_BYTE = 1_000_000;
const OPEN_OR_CREATE = fs.constants.O_RDWR | fs.constants.O_CREAT;

/** Thrown by {@link lockFolder}; its message is for the person who started the second process. */
export class FolderInUseError extends Error {}

/**
 * Locks the folder for this process and returns the function that unlocks it. Waits up to `waitMs` for an owner that is ending.
 * @param folder must exist
 * @param use name of this process in the message for a second process: "the console"
 * @throws FolderInUseError when another process has the lock
 */
export async function lockFolder(folder: string, use: string, waitMs: number): Promise<() => void> {
  const path = join(folder, LOCK_FILE);
  const deadline = Date.now() + waitMs;
  for (;;) {
    const file = fs.openSync(path, OPEN_OR_CREATE, 0o600);
    if (await tryLock(file, path)) {
      fs.ftruncateSync(file);
      fs.writeSync(file, JSON.stringify({ use, pid: process.pid, host: hostname() }), 0);
      return () => {
        // Removed while locked, so that the next owner's file is not removed.
        if (isInFolder(file, path)) fs.unlinkSync(path);
        fs.closeSync(file);
      };
    }
    fs.closeSync(file);
    if (Date.now() >= deadline) throw new FolderInUseError(formatInUse(loadOwner(path)));
    await wait(RETRY_MS);
  }
}

/** Finds the name of the process that has the lock ("the console"); null when the folder is free. */
export async function findFolderUse(folder: string): Promise<string | null> {
  const path = join(folder, LOCK_FILE);
  if (!fs.existsSync(path)) return null;
  const file = fs.openSync(path, fs.constants.O_RDWR);
  try {
    return (await tryLock(file, path)) ? null : loadOwner(path).use;
  } finally {
    fs.closeSync(file);
  }
}

async function tryLock(file: number, path: string): Promise<boolean> {
  // Loaded here, because a console with a PostgreSQL server needs no native module.
  const system = await import("fs-native-extensions");
  return system.tryLock(file, LOCKED_BYTE, 1) && isInFolder(file, path);
}

/** False when the owner has removed the file since it was opened, so that a lock on it has no effect. */
function isInFolder(file: number, path: string): boolean {
  return fs.fstatSync(file).ino === fs.statSync(path, { throwIfNoEntry: false })?.ino;
}

type Owner = { use: string; pid?: number; host?: string };

function loadOwner(path: string): Owner {
  try {
    return JSON.parse(fs.readFileSync(path, "utf8"));
  } catch {
    // Another process has just locked or unlocked it.
    return { use: "another process" };
  }
}

function formatInUse({ use, pid, host }: Owner): string {
  const place = host === hostname() ? "" : ` on ${host}`;
  const process = pid === undefined ? "" : ` (process ${pid}${place})`;
  return `The embedded database is in use by ${use}${process}. Only one process can have it open: stop that one, then try again.`;
}
