import { afterAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { setUpPostgres } from "../../support/fixtures";

/** Frequent writing statements are prepared on their connection; a missing one costs another attempt. */

const postgres = await setUpPostgres();
let database: Database;
let written = 0;

beforeEach(async () => {
  await database?.close();
  database = openDatabase(
    { kind: "postgres", url: await postgres.createDatabase() },
    { use: "a test", shared: false },
  );
});
afterAll(() => database.close());

test("a statement that writes is prepared after some uses, one that only reads is not", async () => {
  await repeat(async () => {
    await run(write);
    await run(readLast);
  });
  expect(await listPrepared()).toEqual([expect.stringContaining("INSERT INTO users")]);
});

test.each([
  ["alone", write],
  ["in a transaction", (db: PrismaClient) => db.$transaction((tx) => write(tx as PrismaClient))],
])(
  "a statement that the connection has lost runs once, %s, and nothing is prepared afterwards",
  async (_, work) => {
    await repeat(() => run(work));
    await run((db) => db.$executeRaw`DEALLOCATE ALL`);
    const before = await count();
    await run(work);
    expect(await count()).toBe(before + 1);
    await repeat(() => run(work));
    expect(await listPrepared()).toEqual([]);
  },
);

test("a statement whose table has changed runs once", async () => {
  const work = (db: PrismaClient) => db.$queryRaw`INSERT INTO notes (text) VALUES ('one') RETURNING *`;
  await run((db) => db.$executeRaw`CREATE TABLE notes (text text)`);
  await repeat(() => run(work));
  await run((db) => db.$executeRaw`ALTER TABLE notes ADD COLUMN more text DEFAULT 'more'`);
  expect(await run(work)).toEqual([{ text: "one", more: "more" }]);
});

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 6; n++) await work();
}

async function run<T>(work: (db: PrismaClient) => Promise<T>): Promise<T> {
  const done = await database.run(work);
  if (!done.ok) throw new Error(done.failure.message);
  return done.value;
}

function write(db: PrismaClient): Promise<number> {
  const id = `person-${++written}`;
  return db.$executeRaw`INSERT INTO users (id, display_name, username) VALUES (${id}, ${id}, ${id})`;
}

function readLast(db: PrismaClient): Promise<unknown> {
  return db.$queryRaw`SELECT id FROM users WHERE id = ${`person-${written}`}`;
}

async function count(): Promise<number> {
  return run((db) => db.user.count());
}

async function listPrepared(): Promise<string[]> {
  const rows = await run(
    (db) =>
      db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements WHERE name <> ''`,
  );
  return rows.map(({ statement }) => statement);
}
