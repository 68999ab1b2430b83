import { mkdtempSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Entry, postEntry } from "~/credits/ledger/ledger.server";
import { loadHeads, verifyHeads } from "~/credits/ledger/ledger-heads.server";
import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import { openDatabase } from "~/platform/database/open-database.server";
import { parseEnvironment } from "~/platform/env.server";
import { runToEnd } from "../../support/child-steps";
import { newEmbedded } from "../../support/database/embedded";
import { setUpDatabase, setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();
const folder = mkdtempSync(join(tmpdir(), "mailroom-verify-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Consistent books: a purchase of 100, two mailed sends (one cancelled and refunded), one refused, one in each open
 * state.
 */
const RIGHT = [
  "DELETE FROM responses",
  "DELETE FROM mail_items",
  "DELETE FROM sends",
  "DELETE FROM checkout_sessions",
  "DELETE FROM bulk_lists",
  "DELETE FROM credit_reservations",
  "TRUNCATE credit_transactions",
  "CREATE UNIQUE INDEX IF NOT EXISTS credit_transactions_cause_cause_key_key ON credit_transactions (cause, cause_key)",
  "DELETE FROM credit_accounts",
  "DELETE FROM users",
  "INSERT INTO users (id, display_name, username) VALUES ('ana', 'Ana', 'ana'), ('ben', 'Ben', 'ben')",
  "INSERT INTO credit_accounts (user_id, balance, held, total_spent) VALUES ('ana', 98, 5, 2), ('ben', 0, 0, 0)",
  `INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, state, success_url, cancel_url)
   VALUES ('buy', 'ana', 'ana', 100, 999, 'usd', 'completed', '/', '/'),
          ('late', 'ana', 'ana', 100, 999, 'usd', 'expired', '/', '/')`,
  `INSERT INTO sends (id, user_id, actor_id, idempotency_key, request_hash, mail_type, cost, charged, state,
     method, path, url, request_headers, request_body)
   SELECT id, 'ana', 'ana', id, id, CASE cost WHEN 2 THEN 'letter' ELSE 'postcard' END, cost, charged, state,
     'POST', '', '', '{}', ''
   FROM (VALUES ('mailed', 2, 2, 'accepted'), ('cancelled', 1, 1, 'cancelled'), ('refused', 2, 0, 'refused'),
     ('unexpected', 1, 0, 'accepted'), ('held', 2, 0, 'sending'), ('unknown', 2, 0, 'unknown'),
     ('review', 1, 0, 'needs_review')) AS s (id, cost, charged, state)`,
  `INSERT INTO mail_items (id, user_id, actor_id, send_id, type, preset, method, path, base_url, status, status_rank,
     is_cancelled, cancelled_at)
   SELECT id, user_id, actor_id, id, mail_type, '', '', '', '', 'received', 10, state = 'cancelled',
     CASE state WHEN 'cancelled' THEN now() END FROM sends WHERE state IN ('accepted', 'cancelled')`,
  `INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description,
     actor_id, cause, cause_key)
   VALUES ('ana', 'purchase', 100, 0, 100, '', 'stripe', 'checkout', 'buy'),
          ('ana', 'debit', 2, 100, 98, '', 'ana', 'send', 'mailed'),
          ('ana', 'debit', 1, 98, 97, '', 'ana', 'send', 'cancelled'),
          ('ana', 'refund', 1, 97, 98, '', 'ana', 'refund', 'cancelled')`,
];

/** Ben's rows that a violation may need: adjustments with a sum of zero. */
const BENS_ROWS = [
  `INSERT INTO credit_transactions (id, user_id, transaction_type, amount, balance_before, balance_after, description,
     actor_id, cause, cause_key)
   VALUES (1000001, 'ben', 'credit', 3, 0, 3, '', 'ana', 'adjustment', 'b1'),
          (1000003, 'ben', 'debit', 3, 3, 0, '', 'ana', 'adjustment', 'b2'),
          (1000005, 'ben', 'credit', 3, 0, 3, '', 'ana', 'adjustment', 'b3'),
          (1000007, 'ben', 'debit', 3, 3, 0, '', 'ana', 'adjustment', 'b4')`,
];
const LEDGER =
  "INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after, description, actor_id, cause, cause_key) VALUES";

/** `# name | the only rules that must find it | a pattern of their message`, then the statements that plant it. */
const VIOLATIONS = String.raw`
# a balance without an entry | I1 | user ana has 99, the ledger says 98
UPDATE credit_accounts SET balance = 99 WHERE user_id = 'ana'
# a ledger without an account | I1 | user ben has no account, the ledger says 3
DELETE FROM credit_accounts WHERE user_id = 'ben'
LEDGER ('ben', 'credit', 3, 0, 3, '', 'ana', 'adjustment', 'a')
# a wrong total | I1b | user ana spent 3, the ledger says 2
UPDATE credit_accounts SET total_spent = 3 WHERE user_id = 'ana'
# more held than there is | I2 I3 | user ben has 0 and holds 1
UPDATE credit_accounts SET held = 1 WHERE user_id = 'ben'
# a hold that stayed behind | I3 | user ana holds 5, the open pieces and reservations cost 3
DELETE FROM sends WHERE id = 'held'
# a mailed send without a debit | I4 I11 | piece mailed \(accepted\) of ana: the debit should be 2, there are 0
DELETE FROM credit_transactions WHERE cause_key = 'mailed'
UPDATE credit_accounts SET balance = 100, total_spent = 0 WHERE user_id = 'ana'
UPDATE credit_transactions SET balance_before = balance_before + 2, balance_after = balance_after + 2 WHERE cause_key = 'cancelled'
# a debit for a refused send | I4 I9 | piece mailed \(refused\) of ana: the debit should be 0, there are 1 with 2
UPDATE sends SET state = 'refused', charged = 0 WHERE id = 'mailed'
# a debit of the wrong amount | I4 | should be 1, there are 1 with 2
UPDATE sends SET charged = 1 WHERE id = 'mailed'
# a debit from another person | I4 I9 | of ben: the debit should be 2, there are 1 with 2 in total for ana
UPDATE sends SET user_id = 'ben' WHERE id = 'mailed'
# a debit for no send | I4 I9 | piece mailed \(unknown to us\)
DELETE FROM responses
DELETE FROM sends WHERE id = 'mailed'
# a cancelled send without a refund | I4 I9 | piece mailed \(cancelled\) of ana: the refund should be 2, there are 0
UPDATE sends SET state = 'cancelled' WHERE id = 'mailed'
# a refund of more than was charged | I4 I11 | piece cancelled \(cancelled\) of ana: the refund should be 1, there are 1 with 2
UPDATE credit_transactions SET amount = 2, balance_after = 99 WHERE cause = 'refund'
UPDATE credit_accounts SET balance = 99, total_spent = 1 WHERE user_id = 'ana'
# two refunds of one cancel | I4 | the refund should be 1, there are 2 with 2
DROP INDEX credit_transactions_cause_cause_key_key
LEDGER ('ana', 'refund', 1, 98, 99, '', 'ana', 'refund', 'cancelled')
UPDATE credit_accounts SET balance = 99, total_spent = 1 WHERE user_id = 'ana'
# a refund to a person who did not pay | I4 I11 | of ana: the refund should be 1, there are 1 with 1 in total for ben
UPDATE credit_transactions SET user_id = 'ben', balance_before = 0, balance_after = 1 WHERE cause = 'refund'
UPDATE credit_accounts SET balance = 97, total_spent = 3 WHERE user_id = 'ana'
UPDATE credit_accounts SET balance = 1, total_spent = -1 WHERE user_id = 'ben'
# a refund for no send | I4 I11 | piece nothing \(unknown to us\) of no one: the refund should be 0, there are 1 with 1
UPDATE credit_transactions SET cause_key = 'nothing' WHERE cause = 'refund'
# a refund before the cancel was booked | I4 I9 | piece cancelled \(cancelling\) of ana: the refund should be 0, there are 1 with 1
UPDATE sends SET state = 'cancelling', cancel_asked_at = now() WHERE id = 'cancelled'
# a completed checkout without a purchase | I5 | checkout late \(completed\) of 100 credits for ana: 0 purchases
UPDATE checkout_sessions SET state = 'completed' WHERE id = 'late'
# a purchase of another amount | I5 | checkout buy
UPDATE checkout_sessions SET credits = 90 WHERE id = 'buy'
# a changed old row | I1 I1b I4 I7 I11 | starts at 98, the row before ended at 97
UPDATE credit_transactions SET amount = 3, balance_after = 97 WHERE cause_key = 'mailed'
UPDATE sends SET charged = 2, cost = 3 WHERE id = 'mailed'
# a removed old row | I1 I5 I7 I11 | starts at 100, the row before ended at 0
DELETE FROM credit_transactions WHERE cause_key = 'buy'
# a trigger switched off | I7 | trigger
ALTER TABLE credit_transactions DISABLE TRIGGER credit_transactions_append_only
# a trigger that leaves TRUNCATE open | I7 | TRUNCATE
DROP TRIGGER credit_transactions_append_only ON credit_transactions
CREATE TRIGGER credit_transactions_append_only BEFORE UPDATE OR DELETE ON credit_transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()
# a send held for too long | I8 | piece held of ana is sending since
UPDATE sends SET created_at = now() - interval '25 hours 1 minute' WHERE id IN ('held', 'review')
# a cancel that is never settled | I8 | piece mailed of ana is cancelling since
UPDATE sends SET state = 'cancelling', cancel_asked_at = now() - interval '25 hours 1 minute' WHERE id = 'mailed'
# a mailed send without its item | I9 | piece mailed \(accepted\) of ana and item missing
DELETE FROM mail_items WHERE id = 'mailed'
# an item of a send that was not mailed | I9 | piece refused \(not mailed\)
UPDATE mail_items SET send_id = 'refused' WHERE id = 'mailed'
# a cancelled item that was not refunded | I9 | piece mailed \(accepted\) of ana and item mailed \(cancelled\)
UPDATE mail_items SET is_cancelled = true, cancelled_at = now() WHERE id = 'mailed'
# an item of another person | I9 | of ana and item mailed \(received\) of ben
UPDATE mail_items SET user_id = 'ben' WHERE id = 'mailed'
# a row with another text | I11 | row \d+ of user ana is not as it was written
UPDATE credit_transactions SET description = 'Postcard mailed' WHERE cause_key = 'mailed'
# rows removed so that the sums still agree | I11 | row 1000005 of user ben is not as it was written, or the row before it \(none\) is not
BENS_ROWS
DELETE FROM credit_transactions WHERE cause_key IN ('b1', 'b2')
# rows that changed places | I11 | row 1000001 of user ben.*\n.*row 1000003 of user ben.*\n.*row 1000005 of user ben
BENS_ROWS
UPDATE credit_transactions SET id = 1000009 WHERE cause_key = 'b1'
UPDATE credit_transactions SET id = 1000001 WHERE cause_key = 'b3'
UPDATE credit_transactions SET id = 1000005 WHERE cause_key = 'b1'
# a row put between others | I11 | row 1000002 of user ben.*\n.*row 1000003 of user ben
BENS_ROWS
INSERT INTO credit_transactions (id, user_id, transaction_type, amount, balance_before, balance_after, description, actor_id, cause, cause_key) VALUES (1000002, 'ben', 'release', 0, 3, 3, '', 'ana', 'review', 'held')
# a running list without a reservation | I13 | list list of ana is running
INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, state, design, reservation_id) VALUES ('list', 'ana', 'ana', '', 'letter', 'running', '{}', 'gone')
# an open reservation of a list that ended | I3 I12 I13 | reservation left of ben is open
INSERT INTO credit_reservations (id, user_id, actor_id, amount, remaining, purpose) VALUES ('left', 'ben', 'ana', 1, 1, '')
INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, state, design, reservation_id) VALUES ('list', 'ana', 'ben', '', 'letter', 'finished', '{}', 'left')
# a trigger of the hashes that is gone | I11 | the trigger that writes the hashes
DROP TRIGGER credit_transactions_chain ON credit_transactions`
  .split(/^# /m)
  .slice(1)
  .map((block) => {
    const [head = "", ...statements] = block.trim().split("\n");
    const [what = "", found = "", words = ""] = head.split(" | ");
    const sql = statements.flatMap((line) =>
      line === "BENS_ROWS" ? BENS_ROWS : [line.replace(/^LEDGER/, LEDGER)],
    );
    return [what, sql, found.split(" "), new RegExp(words)] as const;
  });

const MIGRATION = readFileSync("prisma/migrations/20261122135000_ledger_hashes/migration.sql", "utf8")
  .split(/;\n(?=\n|ALTER|CREATE|DO)/)
  .filter((statement) => statement.trim() !== "");

function adjustment(causeKey: string): Entry {
  const at = { userId: "ben", actorId: "ana", description: "", amount: 1 };
  return { ...at, type: "credit", cause: "adjustment", causeKey };
}

describe("verify-ledger", async () => {
  const run = setUpDatabase(await postgres.createDatabase());

  beforeAll(async () => {
    // The checks of the database would refuse most of these violations.
    await change([
      "ALTER TABLE credit_accounts DROP CONSTRAINT credit_accounts_held_check",
      "ALTER TABLE credit_accounts DROP CONSTRAINT credit_accounts_spent_check",
    ]);
  });
  beforeEach(() => plant(RIGHT));

  test("consistent books", async () => {
    const findings = await verify();
    expect(findings.map(({ id, ok, checked }) => [id, ok, checked])).toEqual([
      ["I1", true, 2],
      ["I1b", true, 2],
      ["I2", true, 2],
      ["I3", true, 3],
      ["I4", true, 7],
      ["I5", true, 2],
      ["I7", true, 4],
      ["I8", true, 2],
      ["I9", true, 3],
      ["I11", true, 4],
      ["I12", true, 0],
      ["I13", true, 0],
    ]);
    expect(findings.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test.each(VIOLATIONS)("%s", async (_what, sql, found, words) => {
    await plant(sql);
    const broken = (await verify()).filter(({ ok }) => !ok);
    expect(broken.map(({ id }) => id)).toEqual(found);
    expect(broken.flatMap(({ problems }) => problems).join("\n")).toMatch(words);
  });

  test("all broken rows are counted and some are listed", async () => {
    await plant([
      "INSERT INTO users (id, display_name, username) SELECT 'u' || n, '', 'u' || n FROM generate_series(1, 500) n",
      "INSERT INTO credit_accounts (user_id, balance) SELECT 'u' || n, 1 FROM generate_series(1, 500) n",
    ]);
    const [first] = await verify();
    expect(first).toMatchObject({ id: "I1", ok: false, broken: 500, checked: 502 });
    expect(first?.problems).toHaveLength(20);
  });

  test("a saved head detects a last row that is missing, changed, or another person's, even when the sums agree", async () => {
    await plant(BENS_ROWS);
    const heads = await run(loadHeads);
    expect(heads.map(({ userId }) => userId)).toEqual(["ana", "ben"]);
    expect(await run((db) => verifyHeads(db, heads))).toMatchObject({ ok: true, checked: 2, broken: 0 });
    await run((db) => postEntry(db, adjustment("later")));
    expect(await run((db) => verifyHeads(db, heads))).toMatchObject({ ok: true, checked: 2 });

    const rest = heads.map((head) => ({ ...head, userId: "ana" }));
    expect(await run((db) => verifyHeads(db, rest))).toMatchObject({ ok: false, broken: 1 });
    await plant(["DELETE FROM credit_transactions WHERE cause_key IN ('b3', 'b4', 'later')"]);
    await change(["UPDATE credit_accounts SET balance = 0 WHERE user_id = 'ben'"]);
    expect((await verify()).filter(({ ok }) => !ok)).toEqual([]);
    expect(await run((db) => verifyHeads(db, heads))).toMatchObject({
      ok: false,
      broken: 1,
      problems: [expect.stringContaining("1000007")],
    });
  });

  test("rows older than the hashes are chained unchanged", async () => {
    await plant(BENS_ROWS);
    const before = await run(loadHeads);
    await change([
      "DROP TRIGGER credit_transactions_chain ON credit_transactions",
      "DROP FUNCTION chain_ledger_row",
      "DROP FUNCTION hash_ledger_row",
      "ALTER TABLE credit_transactions DROP COLUMN hash",
      ...MIGRATION,
    ]);
    expect(await run(loadHeads)).toEqual(before);
    expect((await verify()).filter(({ ok }) => !ok)).toEqual([]);
  });

  test("rows written at the same moment form one chain", async () => {
    const keys = Array.from({ length: 40 }, (_, at) => `at-once-${at}`);
    await Promise.all(keys.map((key) => run((db) => postEntry(db, adjustment(key)))));
    expect((await verify()).find(({ id }) => id === "I11")).toMatchObject({ ok: true, checked: 44 });
  });

  async function verify() {
    return run(verifyLedger);
  }

  /** Changes rows with the trigger disabled and enables it again, unless the change is to the trigger. */
  function plant(sql: string[]): Promise<void> {
    if (sql.some((statement) => statement.includes("TRIGGER"))) return change(sql);
    return change([
      "DROP TRIGGER IF EXISTS credit_transactions_append_only ON credit_transactions",
      "DROP TRIGGER IF EXISTS credit_transactions_chain ON credit_transactions",
      `CREATE TRIGGER credit_transactions_chain BEFORE INSERT ON credit_transactions
       FOR EACH ROW EXECUTE FUNCTION chain_ledger_row()`,
      ...sql,
      `CREATE TRIGGER credit_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_transactions
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`,
    ]);
  }

  async function change(sql: string[]): Promise<void> {
    await run(async (db) => {
      for (const statement of sql) await db.$executeRawUnsafe(statement);
    });
  }
});

describe("npm run verify-ledger", () => {
  // Sets the variables of a `.env` file in this folder to empty: dotenv does not replace variables that are set.
  const look = (variables: Record<string, string>, ...args: string[]) =>
    runToEnd("prisma/verify-ledger.ts", args, {
      MAILROOM_DATABASE_URL: "",
      POSTGRES_URL: "",
      DATABASE_URL: "",
      ...variables,
    });

  test("exits with 0 for consistent books and with 1 for wrong ones, also while a console runs", async () => {
    const url = await postgres.createDatabase();
    const database = openDatabase(parseEnvironment({ DATABASE_URL: url }).database, {
      use: "a test",
      shared: false,
    });
    await database.run((db) => db.user.create({ data: { id: "ana", displayName: "Ana", username: "ana" } }));
    const right = await look({ DATABASE_URL: url });
    expect(right.output).toMatch(
      /^I1 +ok +A balance is the sum of its ledger rows\. 0 checked, 0 broken\.$/m,
    );
    expect(right.output).toMatch(/The books are right\.\n$/);
    expect(right.code).toBe(0);

    await database.run((db) => postEntry(db, { ...adjustment("first"), userId: "ana" }));
    const heads = await look({ DATABASE_URL: url }, "--head");
    expect(heads).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+ [0-9a-f]{64} ana\n$/) });
    const kept = join(folder, "heads.txt");
    await writeFile(kept, heads.output);
    expect(await look({ DATABASE_URL: url }, "--against", kept)).toMatchObject({ code: 0 });
    await writeFile(
      kept,
      heads.output.replace(/ [0-9a-f]/, (first) => (first === " 0" ? " 1" : " 0")),
    );
    const moved = await look({ DATABASE_URL: url }, "--against", kept);
    expect(moved).toMatchObject({ code: 1, output: expect.stringMatching(/WRONG: heads/) });
    await writeFile(kept, "nothing of ours");
    expect(await look({ DATABASE_URL: url }, "--against", kept)).toMatchObject({ code: 2 });
    expect(await look({ DATABASE_URL: url }, "--head", "--against", kept)).toMatchObject({
      code: 2,
      output: expect.stringContaining("cannot be given with --against"),
    });

    await database.run((db) => db.creditAccount.updateMany({ data: { balance: 4 } }));
    await database.run((db) => db.responseCounter.create({ data: { status: 200, shard: 0, total: 3 } }));
    const wrong = await look({ DATABASE_URL: url });
    expect(wrong.output).toMatch(
      /^I1 +BROKEN .* 1 checked, 1 broken\.\n +user ana has 4, the ledger says 1$/m,
    );
    expect(wrong.output).toMatch(
      /^R1 +BROKEN .* 1 checked, 1 broken\.\n +status 200: stored 3, counted 0\nR2 +ok /m,
    );
    expect(wrong.output).toMatch(/The books are WRONG: I1, R1\.\n$/);
    expect(wrong.code).toBe(1);
    await database.close();
  });

  test("says when it cannot check, and exits with 2", async () => {
    const used = newEmbedded();
    const { database: target } = parseEnvironment({ DATABASE_URL: used });
    const database = openDatabase(target, { use: "the console", shared: false });
    await database.run((db) => db.user.count());
    const busy = await look({ DATABASE_URL: used });
    expect(busy.output).toMatch(
      /^The ledger was not checked\. The embedded database is in use by the console \(process \d+\)/m,
    );
    expect(busy.code).toBe(2);
    await database.close();
    expect(await look({ DATABASE_URL: used })).toMatchObject({ code: 0 });

    const refused = await look({ DATABASE_URL: "" });
    expect(refused).toMatchObject({ code: 2, output: expect.stringMatching(/No database is configured/) });
  });
});
