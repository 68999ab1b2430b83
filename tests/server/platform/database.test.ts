import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Db } from "~/platform/database/client";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import { parseEnvironment } from "~/platform/env.server";
import { fail, type Outcome } from "~/platform/outcome";
import { Prisma } from "../../../prisma/client/client";
import { seedUsers } from "../../../prisma/seed";
import { startSteps } from "../../support/child-steps";
import { readDatabaseShape } from "../../support/database/database-shape";
import { readPrismaSchema } from "../../support/database/prisma-schema";
import { setUpPostgres } from "../../support/fixtures";

const migrations = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));
const names = readdirSync(migrations)
  .filter((name) => !name.includes("."))
  .sort();
const child = fileURLToPath(new URL("../../support/database/database-process.ts", import.meta.url));

const PRISMA_MIGRATE_LOCK = 72_707_369;

const postgres = await setUpPostgres();
const opened: Database[] = [];

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

function openFor(address: string): Database {
  return openDatabase(parseEnvironment({ DATABASE_URL: address }).database, { use: "a test", shared: false });
}

/** Opens a database that is closed after the test. */
function open(address: string): Database {
  const database = openFor(address);
  opened.push(database);
  return database;
}

const writeBigInt = (_name: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);

function expectValue<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.message} ${outcome.failure.details}`);
  return outcome.value;
}

test("work that returns a failure fails with it, and what it wrote before stays", async () => {
  const database = open(await postgres.createDatabase());
  const failed = await database.run(async (db) => {
    await seedUsers(db);
    return fail("in_progress", "Not now.");
  });
  expect(failed).toEqual({ ok: false, failure: { code: "in_progress", message: "Not now." } });
  expect(expectValue(await database.run((db) => db.user.count()))).toBeGreaterThan(0);
});

describe.each(["PostgreSQL", "PGlite"])("on %s", (kind) => {
  let address: string;
  let database: Database;

  // One database for all tests, because creating an embedded one takes seconds.
  beforeAll(async () => {
    address = kind === "PGlite" ? "pglite://memory" : await postgres.createDatabase({ empty: true });
    database = openFor(address);
  });
  beforeEach(async () => {
    await database.run((db) => db.$transaction([db.user.deleteMany(), db.revokedSession.deleteMany()]));
  });
  afterAll(() => database.close());

  test("first use creates the tables, and they match schema.prisma", async () => {
    const shape = expectValue(await database.run(readDatabaseShape));
    expect(shape).toEqual(readPrismaSchema());
    expect(Object.keys(shape).length).toBeGreaterThan(1);
  });

  test("every migration is recorded as Prisma records it", async () => {
    const rows = expectValue(
      await database.run(
        (db) => db.$queryRaw<Record<string, unknown>[]>`
          SELECT migration_name, checksum, finished_at IS NOT NULL AS finished, rolled_back_at, applied_steps_count
          FROM _prisma_migrations ORDER BY migration_name`,
      ),
    );
    expect(rows).toEqual(
      names.map((name) => ({
        migration_name: name,
        checksum: createHash("sha256")
          .update(readFileSync(join(migrations, name, "migration.sql")))
          .digest("hex"),
        finished: true,
        rolled_back_at: null,
        applied_steps_count: 1,
      })),
    );
  });

  test("times are unchanged in any time zone of the server", async () => {
    await database.run((db) =>
      db.$executeRawUnsafe(`
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET TimeZone = %L', current_database(), 'Pacific/Auckland');
      END $$`),
    );
    const again = kind === "PGlite" ? database : open(address);
    const expiresAt = new Date("2026-07-01T10:20:30.456Z");
    await again.run((db) => db.revokedSession.create({ data: { id: "s", expiresAt } }));
    const stored = await again.run((db) => db.revokedSession.findUnique({ where: { id: "s" } }));
    expect(expectValue(stored)?.expiresAt).toEqual(expiresAt);
    const seconds = await again.run(
      (db) => db.$queryRaw<{ at: number }[]>`
      SELECT extract(epoch FROM expires_at)::float8 AS at FROM revoked_sessions`,
    );
    expect(expectValue(seconds)).toEqual([{ at: expiresAt.getTime() / 1000 }]);
  });

  test("values have the same types inside and outside a transaction", async () => {
    const at = new Date("2026-07-01T22:20:30.456Z");
    const ask = (db: Db) => db.$queryRaw<unknown[]>`
      SELECT ${at}::timestamptz AS at, ${at}::timestamptz::timestamp AS local, ${at}::timestamptz::date AS day,
        '2026-07-01 22:20:30.456789+00'::timestamptz AS fine, ${9_007_199_254_740_993n}::bigint AS big, ${1}::int AS small,
        ${0.5}::float8 AS half, 1.10::numeric AS exact, ${true}::boolean AS yes, ${null}::text AS nothing,
        ${["a", 'b"c', "d,e"]}::text[] AS texts, ${[1, 2]}::int[] AS numbers, ${new Uint8Array([0, 255])}::bytea AS bytes,
        '{"a":[1]}'::jsonb AS json, ${"\u{1f600} \\ '"}::text AS text, count(*) AS counted FROM generate_series(1, 3)`;
    const outside = expectValue(await database.run(ask));
    const within = expectValue(await database.run((db) => db.$transaction(ask)));
    expect(outside).toEqual([
      {
        at,
        local: at,
        day: new Date("2026-07-01"),
        fine: at,
        big: 9_007_199_254_740_993n,
        small: 1,
        half: 0.5,
        exact: new Prisma.Decimal("1.1"),
        yes: true,
        nothing: null,
        texts: ["a", 'b"c', "d,e"],
        numbers: [1, 2],
        bytes: expect.anything(),
        json: { a: [1] },
        text: "\u{1f600} \\ '",
        counted: 3n,
      },
    ]);
    expect(JSON.stringify(outside, writeBigInt)).toBe(JSON.stringify(within, writeBigInt));
  });

  test("SQL within a transaction is rolled back with it", async () => {
    const done = database.run((db) =>
      db.$transaction(async (tx) => {
        await tx.$executeRaw`INSERT INTO users (id, display_name, username) VALUES ('1', 'A', 'a')`;
        expect(await tx.$queryRaw`SELECT id FROM users`).toEqual([{ id: "1" }]);
        throw new Error("no");
      }),
    );
    await expect(done).rejects.toThrow("no");
    expect(await database.run((db) => db.$queryRaw`SELECT id FROM users`)).toEqual({ ok: true, value: [] });
  });

  test("the caller's errors are thrown", async () => {
    const user = { displayName: "A", username: "same" };
    await database.run((db) => db.user.create({ data: { id: "1", ...user } }));
    await expect(database.run((db) => db.user.create({ data: { id: "2", ...user } }))).rejects.toMatchObject({
      code: "P2002",
    });
    await expect(database.run((db) => db.$queryRaw`SELECT 1/0`)).rejects.toThrow("division by zero");
    expect(await database.run((db) => db.user.count())).toEqual({ ok: true, value: 1 });
  });

  test("work is retried after a conflict, at most three times", async () => {
    let attempts = 0;
    const stumble = (times: number, code: string) =>
      database.run((db) => {
        attempts++;
        return attempts <= times
          ? db.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '${code}'; END $$`)
          : db.user.count();
      });
    expect(await stumble(3, "40001")).toEqual({ ok: true, value: 0 });
    expect(attempts).toBe(4);
    attempts = 0;
    expect(await stumble(4, "40P01")).toMatchObject({
      ok: false,
      failure: { code: "database_unavailable", message: expect.stringContaining("Nothing was changed") },
    });
    expect(attempts).toBe(4);
  });

  test("closing waits for work under way and refuses later work", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = database.run((db) =>
      db.$transaction(async (tx) => {
        await tx.user.create({ data: { id: "1", displayName: "A", username: "a" } });
        await held;
        return tx.user.count();
      }),
    );
    await database.run(async () => null);
    const closing = database.close();
    release();
    expect(await work).toEqual({ ok: true, value: 1 });
    await closing;
    expect(await database.run((db) => db.user.count())).toMatchObject({
      ok: false,
      failure: { code: "database_unavailable" },
    });
  });
});

describe("on PostgreSQL", () => {
  test("three processes and Prisma Migrate may create the tables at once", async () => {
    const address = await postgres.createDatabase({ empty: true });
    const gate = new pg.Client({ connectionString: address });
    await gate.connect();
    // Takes the lock that `prisma migrate deploy` holds while it works.
    await gate.query(`SELECT pg_advisory_lock(${PRISMA_MIGRATE_LOCK})`);
    const processes = Array.from({ length: 3 }, () => startSteps(child, ["use", address]));
    const countWaiting = async () => {
      const { rows } = await gate.query(
        `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE locktype = 'advisory' AND NOT granted AND objid = $1 AND datname = current_database()`,
        [PRISMA_MIGRATE_LOCK],
      );
      return rows.length;
    };
    await expect.poll(countWaiting).toBe(processes.length);
    await gate.end();
    const lines = await Promise.all(processes.map(({ waitFor }) => waitFor(() => true)));
    expect(lines).toEqual(processes.map(() => '{"ok":true,"value":0}'));
    const booked = await open(address).run(
      (db) => db.$queryRaw<{ rows: number }[]>`SELECT count(*)::int AS rows FROM _prisma_migrations`,
    );
    expect(expectValue(booked)[0]?.rows).toBe(names.length);
    await Promise.all(processes.map(({ stop }) => stop("SIGTERM")));
  });

  test("a migration that Prisma Migrate left unfinished is not skipped", async () => {
    const address = await postgres.createDatabase();
    await open(address).run((db) => db.$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL`);
    expect(await open(address).run((db) => db.user.count())).toMatchObject({
      ok: false,
      failure: { code: "database_unavailable", details: expect.stringContaining("prisma migrate resolve") },
    });
  });

  test("transactions that really conflict all succeed", async () => {
    const database = open(await postgres.createDatabase());
    await database.run((db) => db.user.create({ data: { id: "n", displayName: "0", username: "n" } }));
    const increase = () =>
      database.run((db) =>
        db.$transaction(
          async (tx) => {
            const { displayName } = await tx.user.findUniqueOrThrow({ where: { id: "n" } });
            await tx.user.update({
              where: { id: "n" },
              data: { displayName: String(Number(displayName) + 1) },
            });
          },
          { isolationLevel: "Serializable" },
        ),
      );
    const outcomes = await Promise.all([increase(), increase(), increase()]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true]);
    const found = await database.run((db) => db.user.findUnique({ where: { id: "n" } }));
    expect(expectValue(found)?.displayName).toBe("3");
  });
});
