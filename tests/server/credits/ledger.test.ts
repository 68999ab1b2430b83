import { beforeAll, describe, expect, test } from "vitest";
import { type Entry, ensureAccount, loadAccount, postEntry } from "~/credits/ledger/ledger.server";
import { newEmbedded } from "../../support/database/embedded";
import { setUpDatabase, setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();

const entry = (changes: Partial<Entry> = {}): Entry => ({
  userId: "user-1",
  type: "credit",
  amount: 5,
  description: "a gift",
  actorId: "auth-ana",
  cause: "adjustment",
  causeKey: crypto.randomUUID(),
  ...changes,
});

describe.each([
  ["PostgreSQL", await postgres.createDatabase()],
  ["embedded", newEmbedded()],
])("the ledger on %s", (_kind, url) => {
  const run = setUpDatabase(url);
  beforeAll(() =>
    run((db) => db.user.create({ data: { id: "user-1", displayName: "One", username: "one" } })),
  );

  test("an entry changes the balance and writes its row, once per cause, also in parallel", async () => {
    const first = entry();
    const posted = await Promise.all(Array.from({ length: 20 }, () => run((db) => postEntry(db, first))));
    const kinds = posted.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(["posted", ...Array<string>(19).fill("repeated")]);
    expect(posted).toContainEqual({ kind: "posted", balance: 5, held: 0 });
    expect(await run((db) => loadAccount(db, "user-1"))).toMatchObject({ balance: 5 });
    const rows = await run((db) => db.creditTransaction.findMany());
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ balanceBefore: 0, balanceAfter: 5, amount: 5, actorId: "auth-ana" });
  });

  test("parallel debits never exceed the available credits", async () => {
    await run((db) => db.user.create({ data: { id: "user-2", displayName: "Two", username: "two" } }));
    await run((db) => postEntry(db, entry({ userId: "user-2", amount: 50 })));
    const kinds = await Promise.all(
      Array.from({ length: 200 }, () =>
        run((db) => postEntry(db, entry({ userId: "user-2", type: "debit", amount: 1 }))),
      ),
    );
    expect(kinds.filter((posted) => posted.kind === "posted")).toHaveLength(50);
    expect(await run((db) => loadAccount(db, "user-2"))).toEqual({ balance: 0, held: 0 });
  });

  test.each([
    "UPDATE credit_transactions SET amount = 1",
    "DELETE FROM credit_transactions",
    "TRUNCATE credit_transactions",
  ])("the database refuses %s", async (sql) => {
    await expect(run((db) => db.$executeRawUnsafe(sql))).rejects.toThrow(/append-only/);
  });

  test("accounts are only created for users that exist", async () => {
    await run((db) => ensureAccount(db, "auth-missing"));
    expect(await run((db) => db.creditAccount.findUnique({ where: { userId: "auth-missing" } }))).toBeNull();
  });
});
