import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { sha256 } from "../hash.server";

/**
 * Serves an open embedded database to Prisma Studio, by PostgreSQL's wire protocol on a Unix socket that only this user can
 * reach. For development.
 */
const SOCKET_FILE = ".s.PGSQL.5432";
const ABANDONED_MS = 2_000;
const SYNC = Uint8Array.of(83, 0, 0, 0, 4);
const ignore = () => undefined;
const ROLLBACK = Uint8Array.from([81, 0, 0, 0, 13, ...Buffer.from("ROLLBACK"), 0]);

/** Returns the folder of a database's socket. It is short, because a socket's path has at most about 100 characters. */
export function findSocketFolder(databaseFolder: string): string {
  const name = sha256(realpathSync(databaseFolder)).slice(0, 16);
  return join(tmpdir(), `mailroom-${process.getuid?.() ?? "user"}-${name}`);
}

/** True while a process serves the database. */
export function isServed(databaseFolder: string): boolean {
  return existsSync(join(findSocketFolder(databaseFolder), SOCKET_FILE));
}

/** Opens the socket and returns a function that closes it. The caller holds the folder's lock. */
export async function serveStudio(database: PGlite, databaseFolder: string): Promise<() => Promise<void>> {
  const { PGLiteSocketServer } = await import("@electric-sql/pglite-socket");
  const folder = findSocketFolder(databaseFolder);
  requirePrivateFolder(folder);
  const path = join(folder, SOCKET_FILE);
  if (existsSync(path)) unlinkSync(path);
  const server = new PGLiteSocketServer({ db: takeTurns(database), path, maxConnections: 4 });
  await server.start();
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Refuses a temporary folder that another account has created or can read. */
function requirePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const ours = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new Error("The folder for the socket belongs to another account.");
  }
}

/**
 * Wraps the database for the socket server. All use one session, so a guest's `BEGIN … ROLLBACK` would undo the console's
 * writes. A guest therefore holds the console's transaction lock from its first message until it is outside of a transaction
 * again, and is rolled back when it sends nothing for two seconds.
 */
function takeTurns(database: PGlite): PGlite {
  let endTurn: (() => void) | undefined;
  let abandoned: NodeJS.Timeout | undefined;
  let tail = Buffer.alloc(0);

  function takeTurn(): Promise<void> {
    if (endTurn) return Promise.resolve();
    return new Promise((taken) => {
      void database._runExclusiveTransaction(
        () =>
          new Promise<void>((resolve) => {
            endTurn = resolve;
            taken();
          }),
      );
    });
  }

  function leaveTurn(): void {
    clearTimeout(abandoned);
    endTurn?.();
    endTurn = undefined;
  }

  async function abandon(): Promise<void> {
    const leave = endTurn;
    if (!leave) return;
    // Later messages of the guest wait for a new turn.
    endTurn = undefined;
    clearTimeout(abandoned);
    for (const message of [SYNC, ROLLBACK]) {
      await database.execProtocolRawStream(message, { onRawData: ignore });
    }
    leave();
  }

  /** True when the last message was ReadyForQuery with the state "idle": `Z`, the length, `I`. */
  const isIdle = () => tail.length === 6 && tail[0] === 90 && tail[5] === 73;

  const turns = {
    isInTransaction: () => endTurn !== undefined,
    runExclusive: async <T>(work: () => Promise<T>): Promise<T> => {
      await takeTurn();
      clearTimeout(abandoned);
      try {
        return await database.runExclusive(work);
      } finally {
        if (isIdle()) leaveTurn();
        else abandoned = setTimeout(abandon, ABANDONED_MS).unref();
      }
    },
    execProtocolRawStream: async (
      message: Uint8Array,
      options: { onRawData: (data: Uint8Array) => void },
    ) => {
      tail = Buffer.alloc(0);
      await database.execProtocolRawStream(message, {
        ...options,
        onRawData: (data) => {
          tail = Buffer.concat([tail, data.subarray(-6)]).subarray(-6);
          options.onRawData(data);
        },
      });
    },
    exec: async () => {
      await abandon();
      return [];
    },
  };
  return new Proxy(database, {
    get(target, name) {
      if (Object.hasOwn(turns, name)) return Reflect.get(turns, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
