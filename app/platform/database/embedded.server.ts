import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { PrismaClient } from "../../../prisma/client/client";
import { errorNameOf, log } from "../log.server";
import { type Connection, TRANSACTION_LIMITS } from "./connection.server";
import { type FolderLock, lockFolder } from "./folder-lock.server";
import { serveStudio } from "./studio-socket.server";

export interface EmbeddedSettings {
  /** What this process is to one that finds the folder taken: "the console". */
  use: string;
  /** Lets Prisma Studio in while this process has the folder; for development. */
  shared: boolean;
}

/** The folder is no database and not empty; nothing in it was touched. */
export class ForeignFolderError extends Error {}

const LOCK_WAIT_MS = 1_500;
/** Stands in the folder while it is being made, so that a half-made one is made again. */
const UNFINISHED = "mailroom.unfinished";

/**
 * PostgreSQL in this process, in `folder` (with its parents made, relative to the working directory) or in
 * memory. One process at a time; what was acknowledged survives `kill -9`.
 * @throws FolderInUseError, ForeignFolderError
 */
export async function openEmbedded(
  folder: string | "memory",
  settings: EmbeddedSettings,
): Promise<Connection> {
  if (folder === "memory") {
    const database = await createDatabase(undefined);
    return connect(database, () => database.close());
  }
  const path = resolve(folder);
  // The engine makes files that every account may read: only the folder keeps others out.
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

/** Imported here, because a console on a server should not load the engine. */
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
    log.warn("studio.sharing_failed", {
      errorName: errorNameOf(error),
    });
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
    // In this process: it cannot go silent without us.
    guard: (work) => work,
    withSession: (work) =>
      work({
        execute: async (sql) => {
          await database.exec(sql);
        },
        select: async (sql) => (await database.query<Record<string, unknown>>(sql)).rows,
        insert: async (sql, values) => {
          await database.query(sql, values);
        },
      }),
    close,
  };
}
