import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findForeignWrites, parseTables } from "../../check-owners";

const SCHEMA = `
/// One live mail send.
/// Owner: app/pieces
model Send {
  id String @id

  @@map("sends")
}

/// A person's credits.
/// Owner: app/credits/ledger
model CreditAccount {
  id String @id

  @@map("credit_accounts")
}
`;
const find = (path: string, text: string) => findForeignWrites(SCHEMA, [{ path, text }]);

describe("a table is written by its owner alone", () => {
  test.each([
    ["an update", "db.$executeRaw`UPDATE sends SET note = 'x'`"],
    ["an update with a short name", "Prisma.sql`WITH a AS (UPDATE sends s\n  SET note = 'x')`"],
    ["an insert", "db.$executeRaw`\n  INSERT INTO sends (id) VALUES ('x')`"],
    ["a delete in a plain string", 'session.run("DELETE FROM sends")'],
    ["a call of the client", "db.send.updateMany({ where: {}, data: {} })"],
    ["a call within a transaction", "await tx.send.create({ data })"],
  ])("%s elsewhere is found", (_, statement) => {
    expect(find("app/responses/x.server.ts", statement)).toEqual([
      "app/responses/x.server.ts:1: writes sends, which only app/pieces may write",
    ]);
    expect(find("app/pieces/x.server.ts", statement)).toEqual([]);
  });

  test("a folder whose name only begins like the owner's is another folder", () => {
    expect(find("app/pieces-old/x.ts", "sql`DELETE FROM sends`")).toHaveLength(1);
    expect(find("app/credits/purchases/x.ts", "sql`DELETE FROM credit_accounts`")).toHaveLength(1);
  });

  test("locks, reads, upserts and comments are no writes of another table", () => {
    const text = `
      // UPDATE sends SET state = 'x'
      sql\`SELECT 1 FROM sends FOR UPDATE\`;
      sql\`SELECT id FROM sends FOR UPDATE OF s SKIP LOCKED\`;
      db.send.findMany();
      hash.update(text);`;
    expect(find("app/mail/x.ts", text)).toEqual([]);
    const upsert = "sql`INSERT INTO sends (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET note = 'x'`";
    expect(find("app/pieces/x.ts", upsert)).toEqual([]);
  });

  test("a table whose name is put in, or that the schema does not have, is found", () => {
    expect(find("app/pieces/x.ts", "sql`UPDATE $" + "{table} SET note = 'x'`")).toHaveLength(1);
    expect(find("app/pieces/x.ts", "sql`DELETE FROM parcels`")).toHaveLength(1);
  });

  test("a table without an owner is found", () => {
    expect(findForeignWrites(SCHEMA.replace("/// Owner: app/pieces\n", ""), [])).toEqual([
      "prisma/schema.prisma: the table sends has no owner; write /// Owner: above its model",
    ]);
  });

  test("every table of the schema has an owner", () => {
    const tables = parseTables(readFileSync("prisma/schema.prisma", "utf8"));
    expect(tables.length).toBeGreaterThan(10);
    expect(tables.filter(({ owner }) => owner === null)).toEqual([]);
  });
});
