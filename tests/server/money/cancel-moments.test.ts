import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { layFlakyLink } from "../../support/database/flaky-link";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askToCancel, lookAtCancel, type MailedPiece, mailPiece } from "../../support/money/cancel-routes";

/**
 * Cancels that stay open, seen from outside: a console whose recovery runs by itself, a letter of
 * somebody who has 10 credits each time. What the provider may answer is in cancel-answers.test.ts, kills are in
 * cancel-kills.test.ts.
 */
const CANCEL_PATH = "(postcards|letters)/cancel";
const CANCELLED = {
  state: "cancelled",
  isCancelled: true,
  status: "cancelled",
  refunds: [2],
  balance: 10,
  atProvider: "cancelled",
};
const MAIL = { state: "accepted", isCancelled: false, refunds: [], balance: 8 };

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

let payers = 0;
async function newPiece(bench: MoneyBench, origin: string): Promise<MailedPiece> {
  const payer = `cancel-payer-${++payers}`;
  await bench.grant(payer, 10);
  return mailPiece(origin, { type: "letter", payer });
}
const route = "/api/mail/cancel";

let bench: MoneyBench;
let app: ConsoleProcess;
beforeAll(async () => {
  bench = await openBench({ postgres });
  app = await bench.start();
});
afterAll(async () => {
  await bench?.settle();
  expect(await bench?.audit()).toMatchObject(ALL_WELL);
  await bench?.close();
});

test("not known, and in production when asked: mail as before, too late", async () => {
  const piece = await newPiece(bench, app.origin);
  const look = bench.provider.fail({ kind: "hold", path: "letters/get/.*" });
  bench.provider.fail({ kind: "status", status: 500, path: CANCEL_PATH });
  expect((await askToCancel(app.origin, route, piece)).pending).toBe(true);
  await expect.poll(() => look.hits).toBe(1);
  // While it is open, nobody cancels it a second time.
  expect(await askToCancel(app.origin, "the proxy", piece)).toMatchObject({ status: 409, refunded: null });
  bench.provider.move(Number(piece.mailItemId), "producing");
  look.release();
  await bench.settle();
  expect(await lookAtCancel(bench, piece)).toEqual({
    ...MAIL,
    status: "producing",
    atProvider: "producing",
  });
  const send = await bench.inBooks((db) => db.send.findUniqueOrThrow({ where: { id: piece.id } }));
  expect(send.cancelNote).toBe(
    "The provider says producing: too late to cancel this letter. Nothing was refunded.",
  );
});

test("not known for as long as the provider cannot be asked, then known", async () => {
  const piece = await newPiece(bench, app.origin);
  bench.provider.fail({ kind: "timeout", moment: "after", path: CANCEL_PATH });
  const silence = bench.provider.fail({
    kind: "status",
    status: 503,
    path: "letters/get/.*",
    times: "always",
  });
  await askToCancel(app.origin, route, piece);
  await expect.poll(() => silence.hits).toBeGreaterThan(1);
  expect(await lookAtCancel(bench, piece)).toMatchObject({ state: "cancelling", refunds: [], balance: 8 });
  silence.release();
  await bench.settle();
  expect(await lookAtCancel(bench, piece)).toEqual(CANCELLED);
});

test("the database goes away between the provider's answer and its booking: told so, booked once when it is back", async () => {
  const link = await layFlakyLink(bench.databaseUrl);
  const variables = { RECONCILE_INTERVAL_MS: "0", STANNP_TIMEOUT_MS: "6000" };
  const cut = await bench.start({ ...variables, DATABASE_URL: link.url });
  const [done, refused] = [await newPiece(bench, cut.origin), await newPiece(bench, cut.origin)];
  const asked = [];
  const faults = [];
  for (const [piece, moment] of [
    [done, "after"],
    [refused, "before"],
  ] as const) {
    const held = bench.provider.fail({ kind: "hold", moment, path: CANCEL_PATH });
    asked.push(askToCancel(cut.origin, route, piece));
    await expect.poll(() => held.hits).toBe(1);
    faults.push(held);
  }
  bench.provider.move(Number(refused.mailItemId), "delivered");
  await link.cut();
  for (const held of faults) held.release();
  const told = await Promise.all(asked);
  const open = { status: 202, pending: true, refunded: null, cancelled: false };
  expect(told).toEqual([
    {
      ...open,
      error: expect.stringMatching(/The provider cancelled this letter\. The database went away/),
    },
    { ...open, error: expect.stringMatching(/did not cancel this letter.*not known yet/) },
  ]);
  const before = bench.provider.received.length;
  // Before anything is sent nothing is done.
  expect((await askToCancel(cut.origin, "the proxy", done)).status).toBe(503);
  expect(bench.provider.received).toHaveLength(before);
  await link.mend();
  await bench.settle();
  expect(await lookAtCancel(bench, done)).toEqual(CANCELLED);
  expect(await lookAtCancel(bench, refused)).toMatchObject({ ...MAIL, status: "delivered" });
  await cut.stop();
  await link.close();
});
