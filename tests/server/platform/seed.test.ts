import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import { type Database, openDatabase } from "~/platform/database/database.server";
import { parseEnvironment } from "~/platform/env.server";
import { seedLife } from "../../../prisma/seed-life";
import { newEmbedded } from "../../support/database/embedded";

let database: Database;

beforeAll(() => {
  database = openDatabase(parseEnvironment({ DATABASE_URL: newEmbedded() }).database, {
    use: "a test",
    shared: false,
  });
});
afterAll(() => database.close());

const ACCOUNT = "http://127.0.0.1:4010/v1";

test("the seeded life has mail in every state and books that agree, and is made once", async () => {
  const done = await database.run(async (db) => ({
    made: await seedLife(db, ACCOUNT),
    states: (await db.send.groupBy({ by: ["state"] })).map(({ state }) => state).sort(),
    broken: (await verifyLedger(db)).filter(({ ok }) => !ok),
    madeAgain: await seedLife(db, ACCOUNT),
  }));
  expect(done).toEqual({
    ok: true,
    value: {
      made: expect.any(Number),
      states: ["accepted", "cancelled", "needs_review", "refused"],
      broken: [],
      madeAgain: 0,
    },
  });
});
