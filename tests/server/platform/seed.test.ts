import { afterEach, expect, test } from "vitest";
import { reopenUnderPreset } from "~/builder/draft/presets.server";
import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import { type Database, openDatabase } from "~/platform/database/open-database.server";
import { parseEnvironment } from "~/platform/env.server";
import { seedLife } from "../../../prisma/seed-life";
import { newEmbedded } from "../../support/database/embedded";

const PDF = new TextEncoder().encode("%PDF-1.7");
const ACCOUNT = "http://127.0.0.1:4010/v1";
/** A Sunday: fewer pieces are made at weekends. */
const NOW = new Date(Date.UTC(2026, 10, 29, 9));

let database: Database;

afterEach(() => database.close());

test("the seeded data has mail in every state and consistent books, and is created once", async () => {
  const { database: target } = parseEnvironment({ DATABASE_URL: newEmbedded() });
  database = openDatabase(target, { use: "a test", shared: false });
  const done = await database.run(async (db) => ({
    made: await seedLife(db, ACCOUNT, async () => PDF, NOW),
    states: (await db.send.groupBy({ by: ["state"] })).map(({ state }) => state).sort(),
    returned: (await db.mailItem.count({ where: { status: "returned" } })) > 0,
    mailedWithoutPdf: await db.send.count({
      where: { state: { in: ["accepted", "cancelled"] }, pdf: null },
    }),
    eventsOutOfOrder: await db.$queryRaw`
        SELECT 1 FROM mail_events a JOIN mail_events b ON b.item_id = a.item_id AND b.id > a.id AND b.at < a.at`,
    eventsToCome: await db.mailEvent.count({ where: { at: { gt: NOW } } }),
    // Each piece opens in a form with the values that a person would have filled in.
    unfit: (await db.send.findMany()).flatMap(({ mailType, path, requestBody }) => {
      const call = { method: "POST", path, query: {}, headers: {}, body: JSON.parse(requestBody) };
      return reopenUnderPreset(call, `${mailType}s.create`).unfit;
    }),
    broken: (await verifyLedger(db)).filter(({ ok }) => !ok),
    madeAgain: await seedLife(db, ACCOUNT, async () => PDF, NOW),
  }));
  expect(done).toEqual({
    ok: true,
    value: {
      made: expect.any(Number),
      states: ["accepted", "cancelled", "needs_review", "refused"],
      returned: true,
      mailedWithoutPdf: 0,
      eventsOutOfOrder: [],
      eventsToCome: 0,
      unfit: [],
      broken: [],
      madeAgain: 0,
    },
  });
});
