import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { PrismaClient } from "../../../prisma/client/client";
import { errorNameOf, log } from "../log.server";
import { type Connection, TRANSACTION_LIMITS } from "./client";
import { type FolderLock, lockFolder } from "./folder-lock.server";
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
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  const lock = await lockFolder(path, settings.use, LOCK_WAIT_MS);
  try {
    const database = await openFolder(path);
    const stopSharing = settings.shared ? await share(database, path) : async () => undefined;
    return await connect(database, () => closeAll(database, stopSharing, lock));
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openFolder(path: string): Promise<PGlite> {
  const unfinished = join(path, UNFINISHED);
  const found = readdirSync(path).filter((name) => !name.startsWith("mailroom.lock"));
  if (found.includes(UNFINISHED)) {
    for (const name of found) {
      if (name !== UNFINISHED) rmSync(join(path, name), { recursive: true, force: true });
    }
  } else if (found.includes("PG_VERSION")) {
    return createDatabase(path);
  } else if (found.length > 0) {
    throw new ForeignFolderError("The folder of the embedded database is not empty and holds no database.");
  }
  writeFileSync(unfinished, "");
  const database = await createDatabase(path);
  rmSync(unfinished);
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

async function closeAll(database: PGlite, stopSharing: () => Promise<void>, lock: FolderLock): Promise<void> {
  try {
    await stopSharing();
    if (!database.closed) await database.close();
  } finally {
    lock.release();
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
