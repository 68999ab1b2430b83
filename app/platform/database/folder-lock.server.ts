import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Locks a folder for one process, because two processes on one embedded database silently lose committed writes. The
 * operating system releases the lock when the process ends, even by `kill -9`. The file's content only names the owner.
 */
const LOCK_FILE = "mailroom.lock";
const RETRY_MS = 100;
/** Position after the text, because Windows prevents reading locked bytes. */
const LOCKED_BYTE = 1_000_000;
const OPEN_OR_CREATE = constants.O_RDWR | constants.O_CREAT;

/** Thrown by {@link lockFolder}; its message is for the person who started the second process. */
export class FolderInUseError extends Error {}

export interface FolderLock {
  release(): void;
}

/**
 * Locks the folder for this process. Waits up to `waitMs` for an owner that is ending.
 * @param folder must exist
 * @param use name of this process in the message for a second process: "the console"
 * @throws FolderInUseError when another process has the lock
 */
export async function lockFolder(folder: string, use: string, waitMs: number): Promise<FolderLock> {
  const path = join(folder, LOCK_FILE);
  const deadline = Date.now() + waitMs;
  for (;;) {
    const file = openSync(path, OPEN_OR_CREATE, 0o600);
    if (await tryLock(file, path)) {
      ftruncateSync(file);
      writeSync(file, JSON.stringify({ use, pid: process.pid, host: hostname() }), 0);
      const release = () => {
        // Removed while locked, so that the next owner's file is not removed.
        if (isInFolder(file, path)) unlinkSync(path);
        closeSync(file);
      };
      return { release };
    }
    closeSync(file);
    if (Date.now() >= deadline) throw new FolderInUseError(formatInUse(loadOwner(path)));
    await wait(RETRY_MS);
  }
}

/** Finds the name of the process that has the lock ("the console"); null when the folder is free. */
export async function findFolderUse(folder: string): Promise<string | null> {
  const path = join(folder, LOCK_FILE);
  if (!existsSync(path)) return null;
  const file = openSync(path, constants.O_RDWR);
  try {
    return (await tryLock(file, path)) ? null : loadOwner(path).use;
  } finally {
    closeSync(file);
  }
}

async function tryLock(file: number, path: string): Promise<boolean> {
  // Loaded here, because a console with a PostgreSQL server needs no native module.
  const system = await import("fs-native-extensions");
  return system.tryLock(file, LOCKED_BYTE, 1) && isInFolder(file, path);
}

/** False when the owner has removed the file since it was opened, so that a lock on it has no effect. */
function isInFolder(file: number, path: string): boolean {
  return fstatSync(file).ino === statSync(path, { throwIfNoEntry: false })?.ino;
}

interface Owner {
  use: string;
  pid?: number;
  host?: string;
}

function loadOwner(path: string): Owner {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
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
