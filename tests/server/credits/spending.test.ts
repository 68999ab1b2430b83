import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailConsole, startMailConsole } from "../../support/console/mail-console";
import { type Postgres, startPostgres } from "../../support/database/postgres";

/** What was spent in a month, read from pieces and answers, agrees with the ledger. */

let postgres: Postgres;
let app: MailConsole;
beforeAll(async () => {
  postgres = await startPostgres();
  app = await startMailConsole(await postgres.createDatabase());
});
afterAll(async () => {
  await app?.close();
  await postgres?.close();
});

async function load(userId: string, month: string | null = null) {
  const { loadSpending } = await import("~/credits/spending/load-spending.server");
  const loaded = await loadSpending({ month, until: null, userId }, new Date());
  if (!loaded.ok) throw new Error(loaded.failure.message);
  return loaded.value;
}

test("pieces, cancelled ones, net credits and the provider's prices of a month", async () => {
  await app.grant("spender", 10);
  await app.grant("somebody else", 10);
  await app.mail("spender", "letter");
  await app.mail("spender");
  const cancelled = await app.mail("spender");
  await app.mail("somebody else");
  await app.post("/api/mail/cancel", {
    userId: "spender",
    mailItemId: cancelled.mailItemId,
    type: "postcard",
  });

  const { cells, days } = await load("spender");
  const byKind = new Map(cells.map((cell) => [cell.kind, cell]));
  expect(byKind.get("letter")).toMatchObject({ pieces: 1, cancelled: 0, credits: 2, unpriced: 0 });
  expect(byKind.get("postcard")).toMatchObject({ pieces: 2, cancelled: 1, credits: 1, costUnits: 9_900 });
  expect(days.reduce((sum, { credits }) => sum + credits, 0)).toBe(3);
  expect(await app.balance("spender")).toBe(10 - 3);
});

test("prices of pieces from before they were kept are read from the answers in the background", async () => {
  const before = (await load("spender")).cells;
  await app.db(
    (db) => db.$executeRaw`UPDATE mail_items SET provider_cost = NULL, country = NULL, answer_read = false`,
  );
  expect((await load("spender")).cells.map(({ unpriced }) => unpriced)).toEqual([1, 1]);
  const { readAnswers } = await import("~/pieces/item-record.server");
  const { runBatch } = await import("~/platform/background-runner.server");
  expect(await runBatch(readAnswers)).toEqual({ claimed: 4, done: 4 });
  expect((await load("spender")).cells).toEqual(before);
  expect(await runBatch(readAnswers)).toEqual({ claimed: 0, done: 0 });
});

test("the list of months begins with the first live mail, or with an earlier month that was chosen", async () => {
  await app.grant("late", 10);
  const { id } = await app.mail("late");
  const sentIn = (at: string) =>
    app.db(async (db) => {
      await db.mailItem.update({ where: { id }, data: { createdAt: new Date(at) } });
      await db.send.update({ where: { id }, data: { createdAt: new Date(at) } });
    });
  const now = new Date();
  const [thisMonth, before, monthBefore] = [0, 1, 2].map((ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  );
  expect(await load("nobody")).toMatchObject({ months: [thisMonth], hasEarlier: false });
  await sentIn(`${before}-03T09:00:00Z`);
  expect(await load("late")).toMatchObject({ months: [thisMonth, before], hasEarlier: false });
  expect((await load("late", monthBefore)).months).toEqual([thisMonth, before, monthBefore]);
  await sentIn("2024-05-03T09:00:00Z");
  const long = await load("late");
  expect([long.months.length, long.hasEarlier]).toEqual([12, true]);
});
