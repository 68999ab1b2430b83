import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import { BackupError, backUp } from "~/platform/database/backup.server";
import { openEmbedded } from "~/platform/database/embedded.server";
import type { SqlSession } from "~/platform/database/migrations.server";
import { openDatabase } from "~/platform/database/open-database.server";
import { connectPostgres } from "~/platform/database/postgres.server";
import { restore } from "~/platform/database/restore.server";
import { type DatabaseTarget, parseEnvironment } from "~/platform/env.server";
import { verifyCounters } from "~/responses/stats/verify-counters.server";
import { wordsToStart } from "../../support/child-programs";
import { createOldTables, OLD_ROWS } from "../../support/database/database-shape";
import { newEmbedded } from "../../support/database/embedded";
import { makeDatabaseFolder } from "../../support/database/postgres";
import { setUpPostgres } from "../../support/fixtures";

/** Backup, restore, and the upgrade of a filled database of an older version. */

const SETTINGS = { use: "a test", shared: false };

/** Each table's rows by key, with their columns as text. */
type Rows = Record<string, Record<string, unknown>[]>;

const postgres = await setUpPostgres();
const folder = makeDatabaseFolder("embedded");
afterAll(() => rm(folder, { recursive: true, force: true }));

const toTarget = (url: string): DatabaseTarget => parseEnvironment({ DATABASE_URL: url }).database;
const PLACES: [string, () => Promise<string>][] = [
  ["PostgreSQL", () => postgres.createDatabase({ empty: true })],
  ["the embedded database", async () => `pglite://${join(folder, `old-${Math.random()}`)}`],
];

async function inSession<T>(url: string, work: (session: SqlSession) => Promise<T>): Promise<T> {
  const target = toTarget(url);
  const connection =
    target.kind === "embedded" ? await openEmbedded(target.folder, SETTINGS) : connectPostgres(url);
  let result: T | undefined;
  try {
    await connection.withSession(async (session) => {
      result = await work(session);
    });
  } finally {
    await connection.close(false);
  }
  return result as T;
}

/** Creates an older version's tables with rows in each of them. */
async function fillOld(url: string): Promise<void> {
  await inSession(url, async (session) => {
    await createOldTables(session);
    await session.query(OLD_ROWS);
  });
}

function readRows(url: string): Promise<Rows> {
  return inSession(url, async (session) => {
    await session.query("SET TIME ZONE 'UTC'");
    const tables = await session.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    const rows: Rows = {};
    for (const { name } of tables) {
      if (name === "_prisma_migrations") continue;
      const found = await session.query(`SELECT row_to_json(r)::text AS row FROM "${name}" r ORDER BY 1`);
      rows[String(name)] = found.map(({ row }) => JSON.parse(String(row)));
    }
    return rows;
  });
}

async function verify(url: string): Promise<string[]> {
  const database = openDatabase(toTarget(url), SETTINGS);
  try {
    const looked = await database.run(async (db) => [
      ...(await verifyLedger(db)),
      ...(await verifyCounters(db)),
    ]);
    if (!looked.ok) throw new Error(looked.failure.details);
    return looked.value.filter(({ ok }) => !ok).flatMap(({ id, problems }) => [id, ...problems]);
  } finally {
    await database.close();
  }
}

test.each(PLACES)("an upgrade on %s keeps every row and column", async (_kind, make) => {
  const url = await make();
  await fillOld(url);
  const before = await readRows(url);
  expect(Object.entries(before).filter(([, { length }]) => length === 0)).toEqual([]);
  expect(await verify(url)).toEqual([]);
  const after = await readRows(url);
  for (const [name, rows] of Object.entries(before)) {
    expect(after[name], name).toHaveLength(rows.length);
    for (const row of rows) expect(after[name], name).toContainEqual(expect.objectContaining(row));
  }
});

test("a backup of each kind of database is restored into the other, with every row and the same ledger", async () => {
  const [server, embedded, again] = [
    await postgres.createDatabase({ empty: true }),
    `pglite://${join(folder, "restored")}`,
    await postgres.createDatabase({ empty: true }),
  ];
  await fillOld(server);
  await verify(server);
  const rows = await readRows(server);
  const count = Object.values(rows).flat().length;

  const file = join(folder, "server.backup");
  expect(await backUp(toTarget(server), file)).toBe(count);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await restore(toTarget(embedded), file, "")).toBe(count);
  expect(await readRows(embedded)).toEqual(rows);
  expect(await verify(embedded)).toEqual([]);

  const second = join(folder, "embedded.backup");
  await backUp(toTarget(embedded), second);
  await restore(toTarget(again), second, "");
  expect(await readRows(again)).toEqual(rows);
  expect(hash(await readFile(file))).toBe(hash(await readFile(second)));
  // Sequences continue after the highest number, and triggers work again.
  await inSession(again, async (session) => {
    const [next] = await session.query("SELECT nextval('credit_transactions_id_seq')::int AS number");
    expect(next?.number).toBe(17);
    await expect(session.query("DELETE FROM credit_transactions")).rejects.toThrow(/append-only/);
  });
});

test("a partial backup or a database that is not empty is refused and unchanged", async () => {
  const source = await postgres.createDatabase();
  await inSession(source, (session) =>
    session.query("INSERT INTO users (id, display_name, username) VALUES ('user-1', 'Ana', 'ana')"),
  );
  const file = join(folder, "small.backup");
  expect(await backUp(toTarget(source), file)).toBe(1);
  await expect(backUp(toTarget(source), file)).rejects.toThrow("exists already");
  await expect(restore(toTarget(source), file, "")).rejects.toThrow("not empty: table users");
  await expect(backUp({ kind: "none" }, join(folder, "none"))).rejects.toThrow("MAILROOM_DATABASE_URL");
  const away = toTarget("postgres://a:b@127.0.0.1:1/c");
  await expect(backUp(away, join(folder, "away"))).rejects.toThrow(BackupError);

  const whole = gunzipSync(await readFile(file)).toString();
  const damaged: [string, Buffer, RegExp][] = [
    ["cut off", gzipSync(whole.slice(0, whole.lastIndexOf("end"))), /not complete/],
    ["a row lost", gzipSync(whole.replace(/\nusers.*/, "")), /not complete/],
    ["another file", gzipSync("hello\n"), /not a Mailroom backup/],
    ["no gzip", Buffer.from("hello"), /cannot be read/],
    ["half a gzip", (await readFile(file)).subarray(0, -20), /cannot be read|not complete/],
    [
      "of a newer version",
      gzipSync(whole.replace('"migrations":[', '"migrations":["2099_x",')),
      /newer version/,
    ],
    ["of an unknown table", gzipSync(whole.replace("\nusers\t", "\nother\t")), /unknown table/],
  ];
  const url = await postgres.createDatabase();
  for (const [what, bytes, reason] of damaged) {
    const path = join(folder, "damaged");
    await writeFile(path, bytes);
    await expect(restore(toTarget(url), path, ""), what).rejects.toThrow(reason);
  }
  expect(Object.values(await readRows(url)).flat()).toEqual([]);
});

test("the commands do the same, and the restore ends with a check of the books", async () => {
  const [from, to] = [await postgres.createDatabase({ empty: true }), newEmbedded()];
  await fillOld(from);
  await verify(from);
  await inSession(from, (session) =>
    session.query(`INSERT INTO tokens (id, user_id, name, token_hash, ending, scopes, expires_at)
      VALUES ('t1', 'auth-ana', 'nightly', 'h', 'abcd', '{read}', now() + interval '1 day')`),
  );
  const file = join(folder, "command.backup");
  expect((await run("backup", from, file)).stdout).toMatch(/rows are in .*command\.backup/);
  await expect(run("restore", to, file, join(folder, "none.jsonl"))).rejects.toMatchObject({ code: 2 });
  const links = { rows: [], accounts: [], keys: ["key-1"], emails: [], known: [] };
  const erasure = {
    ...{ id: "e1", actorId: "auth-ana", at: "2026-11-21T00:00:00Z" },
    ...{ links, erased: {}, unconfirmed: {} },
  };
  // Its last line is truncated.
  await writeFile(join(folder, "erasures.jsonl"), `${JSON.stringify(erasure)}\n{"id":"e2`);
  const { stdout } = await run("restore", to, file, join(folder, "erasures.jsonl"));
  expect(stdout).toContain("rows were restored.");
  expect(stdout).toContain("Erasures applied again: 1.");
  expect(stdout).toContain("Tokens in use: 1.");
  const restored = await readRows(to);
  expect(restored.sends).toContainEqual(expect.objectContaining({ id: "mailed", recipient_name: null }));
  expect(restored.sends).toContainEqual(expect.objectContaining({ id: "review", recipient_name: "Dee" }));
  expect(stdout).toContain("The books are right.");
  await expect(run("restore", to, file)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/not empty/),
  });
});

test("in a folder the last seven are kept, encrypted and copied, and each can be rehearsed", async () => {
  const url = await postgres.createDatabase({ empty: true });
  await verify(url);
  const [home, copies, rehearsals] = [
    join(folder, "home"),
    join(folder, "copies"),
    join(folder, "rehearsals"),
  ];
  for (const made of [home, copies, rehearsals]) await mkdir(made);
  const older = Array.from({ length: 8 }, (_, day) => `mailroom-2026-01-0${day + 1}T00-00-00-000Z.backup`);
  for (const name of [...older, "another.backup"]) await writeFile(join(home, name), "");
  const [publicKey, privateKey] =
    (await run("backup", url, "--new-key")).stdout.match(/age1\w+|AGE-\S+/g) ?? [];
  const keys = { BACKUP_PUBLIC_KEYS: publicKey ?? "", BACKUP_COPY_FOLDER: copies };

  await runWith(keys, "backup", url, home);
  const [made = "", ...more] = await readdir(copies);
  expect(more).toEqual([]);
  expect(await readdir(home)).toEqual(["another.backup", ...older.slice(2), made]);
  const copy = await readFile(join(copies, made));
  expect(copy.toString("latin1")).toMatch(/^age-encryption/);
  expect(copy).toEqual(await readFile(join(home, made)));

  const open = { BACKUP_PRIVATE_KEYS: privateKey ?? "", TMPDIR: rehearsals };
  const rehearse = (variables: Record<string, string>, file = join(copies, made)) =>
    runWith(variables, "restore", url, "--rehearse", file);
  expect((await rehearse(open)).stdout).toMatch(/books are right\.\nThe rehearsal went right\./);
  const [, otherKey = ""] = (await run("backup", url, "--new-key")).stdout.match(/age1\w+|AGE-\S+/g) ?? [];
  copy[copy.length - 20] = (copy[copy.length - 20] ?? 0) ^ 1;
  await writeFile(join(folder, "changed"), copy);
  const refused: [Record<string, string>, string, string][] = [
    [{}, join(copies, made), "The backup is encrypted."],
    [{ ...open, BACKUP_PRIVATE_KEYS: otherKey }, join(copies, made), "No key of BACKUP_PRIVATE_KEYS opens"],
    [open, join(folder, "changed"), "it is damaged"],
  ];
  for (const [variables, file, reason] of refused) {
    const ended = await rehearse({ TMPDIR: rehearsals, ...variables }, file).catch((error) => error);
    expect(ended, reason).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    expect(ended.stderr.split("\n")).toHaveLength(2);
  }
  expect(await readdir(rehearsals)).toEqual([]);
});

test("a backup or copy that fails deletes nothing, and stays recorded until one succeeds", async () => {
  const url = await postgres.createDatabase({ empty: true });
  await verify(url);
  await inSession(url, (session) =>
    session.query(
      "INSERT INTO reconciliation_runs (name, due_at) VALUES ('setup', now() + interval '1 day')",
    ),
  );
  const look = () =>
    inSession(url, async (session) => {
      const runs = await session.query(
        "SELECT name, problem, due_at <= now() AS due FROM reconciliation_runs",
      );
      await session.query("UPDATE reconciliation_runs SET due_at = now() + interval '1 day'");
      return runs.map(({ name, problem, due }) => (name === "setup" ? due : problem)).sort();
    });
  const keys = { BACKUP_PUBLIC_KEYS: `age1${"q".repeat(58)}`, BACKUP_COPY_FOLDER: join(folder, "away") };
  const home = join(folder, "failing");
  await mkdir(home);
  for (const place of ["x", "x/"].map((name) => `${join(folder, "away")}/${name}`)) {
    const missing = place.endsWith("/") ? place : join(folder, "away");
    await expect(run("backup", url, place)).rejects.toMatchObject({
      code: 2,
      stderr: `No backup was made. The folder ${missing} does not exist. Make it, then try again.\n`,
    });
  }
  expect(await look()).toEqual([expect.stringContaining("does not exist."), true]);
  await expect(run("backup", url, "my", "backups")).rejects.toMatchObject({
    code: 2,
    stderr: "No backup was made. Give one file or folder; quote a name that has spaces.\n",
  });
  await expect(run("restore", url, "my", "backup", "file")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("at most one file of erasures"),
  });
  await expect(runWith(keys, "backup", url, home)).rejects.toMatchObject({
    stderr: "No backup was made. BACKUP_PUBLIC_KEYS has a key that was not copied whole.\n",
  });
  expect(await readdir(home)).toEqual([]);
  await look();
  await run("backup", url, home);
  expect(await look()).toEqual([null, true]);
  await run("backup", url, home);
  expect(await look()).toEqual([false, null]);
});

const run = (command: string, url: string, ...words: string[]) => runWith({}, command, url, ...words);

function runWith(variables: Record<string, string>, command: string, url: string, ...words: string[]) {
  const env = {
    ...variables,
    PATH: process.env.PATH ?? "",
    NODE_ENV: "test" as const,
    LOG_LEVEL: "silent",
    MAILROOM_DATABASE_URL: url,
  };
  return promisify(execFile)(process.execPath, [...wordsToStart(`prisma/${command}.ts`), ...words], {
    env,
  });
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(gunzipSync(bytes)).digest("hex");
}
