import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "~/platform/database/open-database.server";
import { runToEnd } from "../../support/child-steps";
import { startMailConsole } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { command } from "../../support/database/postgres";
import { setUpPostgres } from "../../support/fixtures";

/** The database users that `npm run migrate` creates: the console's and the backup's. */

const ID = randomBytes(4).toString("hex");
const USERS = { console: `console "${ID}"`, backup: `backup-${ID}` };
const SETTINGS = { use: "a test", shared: false };

const postgres = await setUpPostgres();
let owner: string;
const address = (user: string, password = "p'a ss") => {
  const url = new URL(owner);
  Object.assign(url, { username: encodeURIComponent(user), password: encodeURIComponent(password) });
  return url.href;
};
const migrate = (variables: Record<string, string> = {}) =>
  runToEnd("prisma/migrate.ts", [], {
    OWNER_DATABASE_URL: owner,
    MAILROOM_DATABASE_URL: address(USERS.console),
    BACKUP_DATABASE_URL: address(USERS.backup),
    ...variables,
  });

beforeAll(async () => {
  owner = await postgres.createDatabase({ empty: true });
});
afterAll(async () => {
  if (!process.env.TEST_DATABASE_URL) return;
  for (const user of Object.values(USERS)) {
    await command(process.env.TEST_DATABASE_URL, `DROP ROLE IF EXISTS "${user.replaceAll('"', '""')}"`);
  }
});

test("before it, the console's user cannot connect or create the tables", async () => {
  await command(owner, `CREATE ROLE "${USERS.backup}" LOGIN PASSWORD 'other'`);
  for (const [user, password, reason] of [
    [USERS.console, "p", "refuses the user or the password"],
    [USERS.backup, "other", "Its user may not change tables. Run npm run migrate with OWNER_DATABASE_URL"],
  ] as const) {
    const database = openDatabase({ kind: "postgres", url: address(user, password) }, SETTINGS);
    const result = await database.run(async () => null);
    await database.close();
    expect(result).toMatchObject({ failure: { details: expect.stringContaining(reason) } });
  }
});

test("the console works with its user, and cannot change the ledger, the audit log or a table", async () => {
  // Runs it twice, because an upgrade repeats it.
  for (const _ of [1, 2]) expect(await migrate()).toMatchObject({ code: 0 });
  const app = await startMailConsole(address(USERS.console));
  await app.grant(ANA.id, 20);
  const { id, mailItemId } = await app.mail(ANA.id);
  app.provider.move(Number(mailItemId), "producing");
  await app.refreshStatus([id], ANA);
  const cancelled = await app.mail(ANA.id, "letter");
  expect(await app.cancelSend(cancelled.id, ANA)).toMatchObject({ ok: true });
  for (const table of ["credit_transactions", "audit_events"]) {
    for (const sql of [
      `UPDATE ${table} SET id = id`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `DROP TABLE ${table}`,
    ])
      await expect(command(address(USERS.console), sql), sql).rejects.toMatchObject({ code: "42501" });
  }
  for (const sql of [
    "SET session_replication_role = replica",
    "CREATE TABLE own (id int)",
    "DELETE FROM _prisma_migrations",
    "CREATE OR REPLACE FUNCTION refuse_audit_event_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
  ])
    await expect(command(address(USERS.console), sql), sql).rejects.toMatchObject({ code: "42501" });
  await app.close();
  const books = await runToEnd("prisma/verify-ledger.ts", [], {
    MAILROOM_DATABASE_URL: address(USERS.console),
  });
  expect(books.output).toContain("The books are right.");
});

test("a backup needs only its user, who cannot change data", async () => {
  const file = join(tmpdir(), `mailroom-${ID}.backup`);
  const made = await runToEnd("prisma/backup.ts", [file], {
    BACKUP_DATABASE_URL: address(USERS.backup),
    NODE_ENV: "production",
  });
  await rm(file);
  expect(made).toEqual({ code: 0, output: expect.stringMatching(/^\d+ rows are in .*\n$/) });
  for (const sql of ["UPDATE users SET username = 'x'", "DELETE FROM sends", "CREATE TABLE own (id int)"]) {
    await expect(command(address(USERS.backup), sql), sql).rejects.toMatchObject({ code: "42501" });
  }
});
