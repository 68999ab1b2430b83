import { afterAll, beforeAll, expect, test } from "vitest";
import { layFlakyLink } from "../../support/database/flaky-link";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askToCancel, lookAtCancel, type MailedPiece, mailPiece } from "../../support/money/cancel-routes";

/**
 * The answer to a caller whose cancel is done at the provider and cannot be stored. The boundary walk does not read answers;
 * the provider's answers are in cancel-answers.test.ts, kills in cancel-kills.test.ts.
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
beforeAll(async () => {
  bench = await openBench({ postgres });
  // Its recovery ends what the other console leaves open.
  await bench.start();
});
afterAll(async () => {
  await bench?.settle();
  expect(await bench?.audit()).toMatchObject(ALL_WELL);
  await bench?.close();
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
  const open = { status: 202, pending: true, refunded: null, newBalance: null, cancelled: false };
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
