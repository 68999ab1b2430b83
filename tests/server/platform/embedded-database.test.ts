import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderInUseError, findFolderUse, lockFolder } from "~/platform/database/embedded.server";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import { type ChildSteps, startSteps } from "../../support/child-steps";
import { newEmbedded } from "../../support/database/embedded";
import { makeDatabaseFolder } from "../../support/database/postgres";
import { promisedMs } from "../../support/own-time";

/** A second process is refused within three seconds. */
const KNOWN_MS = promisedMs(3_000);
const child = fileURLToPath(new URL("../../support/database/database-process.ts", import.meta.url));

let parent: string;
let folder: string;
const processes: ChildSteps[] = [];
const opened: Database[] = [];

beforeEach(() => {
  parent = makeDatabaseFolder("embedded");
  folder = join(parent, "with", "parents");
});
afterEach(async () => {
  for (const { stop } of processes.splice(0)) await stop("SIGKILL");
  for (const database of opened.splice(0)) await database.close();
  rmSync(parent, { recursive: true, force: true });
});

function open(path = folder): Database {
  const database = openDatabase({ kind: "embedded", folder: path }, { use: "a test", shared: false });
  opened.push(database);
  return database;
}

function startProcess(task: "hold" | "write"): ChildSteps {
  const started = startSteps(child, [task, `pglite://${folder}`]);
  processes.push(started);
  return started;
}

const lockOf = (path: string) => join(path, "mailroom.lock");

test("a second process is refused in time with one clear line, and admitted when the first has died", async () => {
  folder = newEmbedded().slice("pglite://".length);
  chmodSync(folder, 0o755);
  const first = startProcess("hold");
  await first.waitFor((line) => line.includes('"ok":true'));
  expect(statSync(folder).mode & 0o077, "other accounts are kept out").toBe(0);
  const second = open();
  const startedAt = performance.now();
  const refused = await second.run((db) => db.user.count());
  expect(performance.now() - startedAt).toBeLessThan(KNOWN_MS);
  expect(refused).toEqual({
    ok: false,
    failure: {
      code: "database_unavailable",
      message: expect.stringContaining("Nothing was changed"),
      details: `The embedded database is in use by the console (process ${first.process.pid}). Only one process can have it open: stop that one, then try again.`,
    },
  });

  await first.stop("SIGKILL");
  expect(existsSync(lockOf(folder))).toBe(true);
  await expect.poll(async () => (await second.run((db) => db.user.count())).ok).toBe(true);
  await second.close();
  expect(existsSync(lockOf(folder))).toBe(false);
});

test("kill -9 loses nothing that was acknowledged; a relative folder is resolved from the working directory", async () => {
  folder = newEmbedded().slice("pglite://".length);
  const writer = startProcess("write");
  await writer.waitFor((line) => line.includes("user-40"));
  await writer.stop("SIGKILL");
  const acknowledged = writer.lines.filter((line) => line.includes("acknowledged")).length;
  expect(acknowledged).toBeGreaterThan(40);
  const stored = await open(relative(process.cwd(), folder)).run((db) =>
    db.user.findMany({ select: { id: true } }),
  );
  const ids = new Set(stored.ok ? stored.value.map(({ id }) => id) : []);
  const lost = Array.from({ length: acknowledged }, (_, number) => `user-${number}`).filter(
    (id) => !ids.has(id),
  );
  expect(lost).toEqual([]);
});

test("a folder whose creation was interrupted is created again; one with other content is left alone", async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of ["mailroom.unfinished", "PG_VERSION"]) writeFileSync(join(folder, name), "");
  expect(await open().run((db) => db.user.count())).toEqual({ ok: true, value: 0 });
  expect(readdirSync(folder)).not.toContain("mailroom.unfinished");

  writeFileSync(join(parent, "letter.txt"), "dear");
  expect(await open(parent).run((db) => db.user.count())).toMatchObject({
    ok: false,
    failure: {
      code: "database_unavailable",
      details: expect.stringContaining("not empty and holds no database"),
    },
  });
  expect(readFileSync(join(parent, "letter.txt"), "utf8")).toBe("dear");
  expect(existsSync(lockOf(parent))).toBe(false);
});

test("a folder that cannot be created is an outage, without its path", async () => {
  writeFileSync(join(parent, "file"), "");
  const outcome = await open(join(parent, "file", "below")).run((db) => db.user.count());
  expect(outcome).toMatchObject({ ok: false, failure: { details: "It could not be made ready (ENOTDIR)." } });
});

test("the lock of a process that ended is taken over by one of many, also by a process with the same id", async () => {
  writeFileSync(lockOf(parent), JSON.stringify({ use: "the console", pid: process.pid, host: hostname() }));
  expect(await findFolderUse(parent)).toBeNull();
  const attempts = await Promise.allSettled(
    Array.from({ length: 8 }, () => lockFolder(parent, "a test", 300)),
  );
  const won = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  const refusals = attempts.flatMap((attempt) => (attempt.status === "rejected" ? [attempt.reason] : []));
  expect(won).toHaveLength(1);
  expect(refusals.every((reason) => reason instanceof FolderInUseError)).toBe(true);
  expect(await findFolderUse(parent)).toBe("a test");
  won[0]?.();
  expect(readdirSync(parent)).toEqual([]);
});
