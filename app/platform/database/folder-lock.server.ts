import { randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * A folder for one process at a time: two processes on one embedded database silently lose acknowledged writes. The
 * lock is a file in the folder that names its owner. The lock of an owner that died, even by `kill -9`, does not count.
 */
const LOCK_FILE = "mailroom.lock";
const RETRY_MS = 100;
/** A process on another machine (a container on the same volume) cannot be checked, so owners touch the file. */
const TOUCH_MS = 5_000;
const SILENT_MS = 60_000;
/** A file that is being written may be read half. */
const WRITING_MS = 5_000;

interface Owner {
  id: string;
  pid: number;
  host: string;
  /** When the process began, in the kernel's ticks, so that another one under the same id is not taken for it. */
  began: string | null;
  /** What it is to a reader: "the console", "Prisma Studio". */
  use: string;
}

/** Thrown by {@link lockFolder}; its message is for the person who started the second process. */
export class FolderInUseError extends Error {}

export interface FolderLock {
  release(): void;
}

/**
 * Takes the folder for this process. Waits up to `waitMs` for an owner that is just ending.
 * @param folder must exist
 * @param use what this process is to a person who finds the folder taken: "the console"
 * @throws FolderInUseError when another process has it
 */
export async function lockFolder(folder: string, use: string, waitMs: number): Promise<FolderLock> {
  const path = join(folder, LOCK_FILE);
  const me: Owner = {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    began: findProcessStart(process.pid),
    use,
  };
  const deadline = Date.now() + waitMs;
  for (;;) {
    if (create(path, me)) break;
    const owner = loadOwner(path);
    if (owner === null) {
      // A link that leads nowhere cannot be made and cannot be read: it is no one's lock.
      if (isDangling(path)) remove(path);
      continue;
    }
    if (!isHeld(path, owner) && takeOver(path, owner, me)) break;
    if (Date.now() >= deadline && isHeld(path, owner)) throw new FolderInUseError(formatInUse(owner));
    await wait(RETRY_MS);
  }

  const touch = setInterval(() => {
    // A lock that a person removed by hand is not ours to bring back.
    if (existsSync(path)) utimesSync(path, new Date(), new Date());
  }, TOUCH_MS).unref();
  const release = () => {
    clearInterval(touch);
    process.off("exit", release);
    if (loadOwner(path)?.id === me.id) unlinkSync(path);
  };
  process.once("exit", release);
  return { release };
}

/** Name of the process that has the folder ("the console"); null when it is free. */
export function findFolderUse(folder: string): string | null {
  const path = join(folder, LOCK_FILE);
  const owner = loadOwner(path);
  return owner && isHeld(path, owner) ? owner.use : null;
}

function formatInUse(owner: Owner): string {
  const where = owner.host === hostname() ? "" : ` on ${owner.host}`;
  return `The embedded database is in use by ${owner.use} (process ${owner.pid}${where}). Only one process can have it open: stop that one, then try again.`;
}

/** Creates the file. False when there is one. */
function create(path: string, owner: Owner): boolean {
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Replaces a dead owner's lock. Of several processes that found it dead, the one that makes the claim named
 * after it goes on; a late one finds the lock no longer that of the dead.
 */
function takeOver(path: string, dead: Owner, me: Owner): boolean {
  const claim = `${path}.${dead.id}`;
  if (!create(claim, me)) {
    const claimant = loadOwner(claim);
    if (claimant && !isHeld(claim, claimant)) remove(claim);
    return false;
  }
  try {
    if (loadOwner(path)?.id !== dead.id) return false;
    const fresh = `${path}.${me.id}`;
    writeFileSync(fresh, JSON.stringify(me), { mode: 0o600 });
    renameSync(fresh, path);
    return true;
  } finally {
    remove(claim);
  }
}

function isDangling(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(path);
}

function isHeld(path: string, owner: Owner): boolean {
  if (owner.pid === 0) return millisecondsSinceTouch(path) < WRITING_MS;
  if (owner.host !== hostname()) return millisecondsSinceTouch(path) < SILENT_MS;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (!isCode(error, "EPERM")) return false;
  }
  return owner.began === null || owner.began === findProcessStart(owner.pid);
}

/** Milliseconds since the file was last touched. */
function millisecondsSinceTouch(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY;
}

/** Null when there is no file; process 0 when it cannot be read. */
function loadOwner(path: string): Owner | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
  try {
    const { id, pid, host, began, use } = JSON.parse(text);
    if (/^[\w-]{1,64}$/.test(id) && Number.isSafeInteger(pid) && pid > 0) {
      return { id, pid, host: String(host), began: began ?? null, use: String(use) };
    }
  } catch {
    // Said below: an owner no one can name.
  }
  return { id: "unreadable", pid: 0, host: hostname(), began: null, use: "an unknown process" };
}

/** Fields 3 and 22 of Linux's process status; null on other systems. */
function findProcessStart(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    // A dead process whose parent has not asked for it yet still has an id.
    return fields[0] === "Z" ? "ended" : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
