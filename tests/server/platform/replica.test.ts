import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ConsoleRoutes, loadConsole } from "../../support/console/console-routes";
import type { CookieJar } from "../../support/console/cookie-jar";
import { openSession } from "../../support/console/environment";
import { ANA } from "../../support/console/payment-console";
import { type FlakyLink, layFlakyLink } from "../../support/database/flaky-link";
import { command } from "../../support/database/postgres";
import { type PostgresPair, startPostgresPair } from "../../support/database/postgres-pair";

/** Large reads use a replica and still show rows that were written a moment before. */

let pair: PostgresPair;
let link: FlakyLink;
let standby: string;
let routes: ConsoleRoutes;
let jar: CookieJar;
let notes = 0;

beforeAll(async () => {
  pair = await startPostgresPair({ synchronous: false });
  const database = await pair.createDatabase();
  standby = withDatabaseOf(pair.standbyUrl, database);
  link = await layFlakyLink(standby);
  routes = await loadConsole({
    SESSION_SECRET: "a secret",
    DATABASE_URL: database,
    READ_DATABASE_URL: link.url,
  });
  jar = await openSession("ana", "Ana");
  await routes.visit(jar, "/api/users");
});

beforeEach(async () => {
  await command(standby, "SELECT pg_wal_replay_resume()");
  await link.mend();
});

afterAll(async () => {
  const { closeDatabase } = await import("~/platform/database/database.server");
  await closeDatabase();
  await link.close();
  await pair.close();
});

test("a row that was written a moment before is read there", async () => {
  for (let n = 0; n < 20; n++) {
    const note = await writeNote();
    expect(await readNotes()).toEqual({ replica: true, last: note });
  }
});

test("parts are read there, one after the other", async () => {
  const { readPartsFromReplica } = await import("~/platform/database/database.server");
  async function* ask() {
    for (let n = 0; n < 3; n++) yield (await selectNotes()).replica;
  }
  const parts: boolean[] = [];
  for await (const part of readPartsFromReplica(ask())) parts.push(part);
  expect(parts).toEqual([true, true, true]);
});

test("nothing else is read there", async () => {
  expect((await selectNotes()).replica).toBe(false);
});

test.each([
  ["the ledger's file", "credit_transactions", () => download("/users/history.csv")],
  ["the file of responses", "FROM responses", () => download("/stored.csv")],
  ["spending", "FROM sends", loadSpending],
  ["insights", "WITH refund", loadInsights],
])("%s is read there", async (_, words, read) => {
  expect(await listLastStatements()).not.toContain(words);
  await read();
  expect(await listLastStatements()).toContain(words);
});

test("one that lags is not read", async () => {
  await command(standby, "SELECT pg_wal_replay_pause()");
  const note = await writeNote();
  expect(await readNotes()).toEqual({ replica: false, last: note });
});

test("an unreachable one is not read until it returns", async () => {
  await link.cut();
  const note = await writeNote();
  expect(await readNotes()).toEqual({ replica: false, last: note });
  await link.mend();
  await expect.poll(readNotes).toEqual({ replica: true, last: note });
});

test("the database runs what the replica cannot", async () => {
  const { readFromReplica } = await import("~/platform/database/database.server");
  const note = await readFromReplica(writeNote);
  expect((await readNotes()).last).toBe(note);
});

/** Stores a name in the database. */
async function writeNote(): Promise<string> {
  const { withDatabase } = await import("~/platform/database/database.server");
  const id = `note-${String(++notes).padStart(4, "0")}`;
  const done = await withDatabase(
    (db) => db.$executeRaw`INSERT INTO users (id, display_name, username) VALUES (${id}, ${id}, ${id})`,
  );
  if (!done.ok) throw new Error(done.failure.message);
  return id;
}

async function readNotes() {
  const { readFromReplica } = await import("~/platform/database/database.server");
  return readFromReplica(selectNotes);
}

async function selectNotes(): Promise<{ replica: boolean; last: string | null }> {
  const { withDatabase } = await import("~/platform/database/database.server");
  const read = await withDatabase(
    (db) => db.$queryRaw<{ replica: boolean; last: string | null }[]>`
      SELECT pg_is_in_recovery() AS replica, (SELECT max(id) FROM users WHERE id LIKE 'note-%') AS last`,
  );
  if (!read.ok || !read.value[0]) throw new Error("The database did not answer.");
  return read.value[0];
}

async function download(path: string): Promise<void> {
  const answer = await routes.visit(jar, path);
  expect(answer.status).toBe(200);
  await answer.text();
}

async function loadSpending(): Promise<void> {
  const { loadSpending: load } = await import("~/credits/spending/spending.server");
  expect(await load({ userId: null, month: null, until: null }, new Date())).toMatchObject({ ok: true });
}

async function loadInsights(): Promise<void> {
  const { loadInsightsView } = await import("~/insights/load-insights.server");
  expect(await loadInsightsView(ANA, new Date())).toMatchObject({
    failure: null,
  });
}

/** The last statement of each of the console's connections to the standby. */
async function listLastStatements(): Promise<string> {
  const { rows } = await command(
    standby,
    "SELECT string_agg(query, ' ') AS statements FROM pg_stat_activity WHERE application_name = 'mailroom'",
  );
  return rows[0].statements ?? "";
}

function withDatabaseOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = new URL(database).pathname;
  return url.href;
}
