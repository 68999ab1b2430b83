import { afterEach, expect, test } from "vitest";
import { reopenUnderPreset } from "~/builder/draft/presets.server";
import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import { type Database, openDatabase } from "~/platform/database/database.server";
import { parseEnvironment } from "~/platform/env.server";
import { seedLife } from "../../../prisma/seed-life";
import { newEmbedded } from "../../support/database/embedded";

const PDF = new TextEncoder().encode("%PDF-1.7");
const ACCOUNT = "http://127.0.0.1:4010/v1";
/** A Monday and a Sunday: fewer pieces are made at weekends. */
const DAYS = [23, 29].map((day) => new Date(Date.UTC(2026, 10, day, 9)));

let database: Database;

afterEach(() => database.close());

test.each(DAYS)(
  "the data seeded at %s has mail in every state and consistent books, and is created once",
  async (now) => {
    const { database: target } = parseEnvironment({ DATABASE_URL: newEmbedded() });
    database = openDatabase(target, { use: "a test", shared: false });
    const done = await database.run(async (db) => ({
      made: await seedLife(db, ACCOUNT, async () => PDF, now),
      states: (await db.send.groupBy({ by: ["state"] })).map(({ state }) => state).sort(),
      returned: (await db.mailItem.count({ where: { status: "returned" } })) > 0,
      mailedWithoutPdf: await db.send.count({
        where: { state: { in: ["accepted", "cancelled"] }, pdf: null },
      }),
      eventsOutOfOrder: await db.$queryRaw`
        SELECT 1 FROM mail_events a JOIN mail_events b ON b.item_id = a.item_id AND b.id > a.id AND b.at < a.at`,
      eventsToCome: await db.mailEvent.count({ where: { at: { gt: now } } }),
      // Each piece opens in a form with the values that a person would have filled in.
      unfit: (await db.send.findMany()).flatMap(({ mailType, path, requestBody }) => {
        const call = { method: "POST", path, query: {}, headers: {}, body: JSON.parse(requestBody) };
        return reopenUnderPreset(call, `${mailType}s.create`).unfit;
      }),
      broken: (await verifyLedger(db)).filter(({ ok }) => !ok),
      madeAgain: await seedLife(db, ACCOUNT, async () => PDF, now),
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
  },
);
