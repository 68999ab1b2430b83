import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import type { Outcome } from "~/platform/outcome";
import { type FlakyLink, layFlakyLink } from "../../support/database/flaky-link";
import { setUpPostgres } from "../../support/fixtures";
import { promisedMs } from "../../support/own-time";

/** An outage is detected within three seconds, and ends within five of the database's return. */
const KNOWN_MS = promisedMs(3_000);
const BACK_MS = promisedMs(5_000);
/** Slower than the detection of an outage. */
const SLOW_SECONDS = 4;

const postgres = await setUpPostgres({ own: true });
let address: string;
let link: FlakyLink;
let database: Database;

beforeEach(async () => {
  address = await postgres.createDatabase();
  link = await layFlakyLink(address);
  database = openPostgres(link.url);
});
afterEach(async () => {
  await link.mend();
  await database.close();
  await link.close();
});

function openPostgres(url: string): Database {
  return openDatabase({ kind: "postgres", url }, { use: "a test", shared: false });
}

const countUsers = () => database.run((db) => db.user.count());

async function expectOutage(ask: () => Promise<Outcome<unknown>>, message: RegExp, limitMs = KNOWN_MS) {
  const startedAt = performance.now();
  const outcome = await ask();
  expect(performance.now() - startedAt).toBeLessThan(limitMs);
  expect(outcome).toMatchObject({
    ok: false,
    failure: { code: "database_unavailable", message: expect.stringMatching(message) },
  });
  const text = JSON.stringify(outcome);
  expect(text).not.toMatch(/127\.0\.0\.1|mailroom_test|SELECT|\.ts|\/tmp/);
}

async function expectBack(): Promise<void> {
  await expect.poll(async () => (await countUsers()).ok, { timeout: BACK_MS, interval: 100 }).toBe(true);
}

test("a server that hangs at first use is detected in time, and used once it answers", async () => {
  link.silence();
  await expectOutage(countUsers, /Nothing was changed/);
  await link.mend();
  await expectBack();
});

test("a refused connection is detected in time and recovers", async () => {
  expect(await countUsers()).toEqual({ ok: true, value: 0 });
  await link.cut();
  // The first query may still use a connection that breaks.
  await expectOutage(countUsers, /database/);
  await expectOutage(countUsers, /Nothing was changed/);
  await expectOutage(
    () => database.run((db) => db.$transaction((tx) => tx.user.count())),
    /Nothing was changed/,
  );
  await link.mend();
  await expectBack();
});

test("a server that stops answering is detected in time, also by a page with two queries", async () => {
  expect(await countUsers()).toEqual({ ok: true, value: 0 });
  link.silence();
  await expectOutage(async () => {
    await Promise.all(Array.from({ length: 20 }, countUsers));
    return countUsers();
  }, /Check whether the change was made/);
  await link.mend();
  await expectBack();
});

test("a connection that breaks during a change does not say that nothing was changed", async () => {
  await countUsers();
  const slow = database.run((db) => db.$queryRaw`SELECT 1 FROM pg_sleep(20)`);
  await expect
    .poll(async () => {
      const busy = await database.run(
        (db) => db.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid()`,
      );
      return busy.ok && busy.value.length;
    })
    .toBe(1);
  await link.cut();
  await expectOutage(() => slow, /Check whether the change was made/);
  await link.mend();
  await expectBack();
});

test("a slow answer of a live server is accepted", async () => {
  const startedAt = performance.now();
  const outcome = await database.run((db) => db.$queryRaw`SELECT 1 AS one FROM pg_sleep(${SLOW_SECONDS})`);
  expect(outcome).toEqual({ ok: true, value: [{ one: 1 }] });
  expect(performance.now() - startedAt).toBeGreaterThan(SLOW_SECONDS * 1_000 - 100);
});

test("the console survives a crash of the server", async () => {
  await countUsers();
  await postgres.stop("immediate");
  await expectOutage(countUsers, /database/);
  await expectOutage(countUsers, /Nothing was changed/);
  await postgres.start();
  await expectBack();
});

test("a server that returns empty gets its tables again", async () => {
  await database.run((db) => db.user.create({ data: { id: "1", displayName: "A", username: "a" } }));
  await link.cut();
  await expectOutage(countUsers, /database/);
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await client.end();
  await link.mend();
  await expectBack();
  expect(await countUsers()).toEqual({ ok: true, value: 0 });
});

test("a wrong password and a missing database are distinguished, without names", async () => {
  for (const [change, reason] of [
    [
      (url: URL) => {
        url.password = "wrong";
      },
      /refuses the user or the password/,
    ],
    [
      (url: URL) => {
        url.pathname = "/absent";
      },
      /has no database of the name/,
    ],
  ] as const) {
    const url = new URL(link.url);
    change(url);
    const other = openPostgres(url.href);
    expect(await other.run((db) => db.user.count())).toMatchObject({
      ok: false,
      failure: { code: "database_unavailable", details: expect.stringMatching(reason) },
    });
    await other.close();
  }
});
