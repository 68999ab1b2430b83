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

async function load(userId: string) {
  const { loadSpending } = await import("~/credits/spending/load-spending.server");
  const loaded = await loadSpending({ month: null, until: null, userId }, new Date());
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
  const { readAnswers } = await import("~/pieces/read-answers.server");
  const { runBatch } = await import("~/platform/background-runner.server");
  expect(await runBatch(readAnswers)).toEqual({ claimed: 4, done: 4 });
  expect((await load("spender")).cells).toEqual(before);
  expect(await runBatch(readAnswers)).toEqual({ claimed: 0, done: 0 });
});
