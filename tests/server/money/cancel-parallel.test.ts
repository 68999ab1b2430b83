import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import {
  ALL_CANCEL_ROUTES,
  askToCancel,
  type CancelAnswer,
  type CancelRoute,
  isStored,
  lookAtCancel,
  type MailedPiece,
  mailPiece,
} from "../../support/money/cancel-routes";
import { howMany } from "../../support/money/how-many";

/** Concurrent cancels through every route, at two processes. The storm cancels on the embedded database. */
const ITEMS = howMany({ short: 10, long: 100 });
const AT_ONCE = 10;
/** Pieces per batch: this machine cannot open a thousand connections within the connection timeout. */
const AT_A_TIME = 10;

let postgres: Postgres;
let bench: MoneyBench;
const consoles: ConsoleProcess[] = [];
const origin = (n: number) => consoles[n % consoles.length]?.origin ?? "";

beforeAll(async () => {
  postgres = await startPostgres();
  bench = await openBench({ postgres });
  await bench.grant("canceller", 1_000);
  // High enough that a slow machine does not look like a provider that does not answer.
  const patient = { STANNP_TIMEOUT_MS: "30000" };
  for (let n = 0; n < 2; n++) consoles.push(await bench.start(patient));
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
});

test(`on PostgreSQL ${ITEMS} items, ${AT_ONCE} parallel cancels each through every route: ${ITEMS} refunds`, async () => {
  const pieces: MailedPiece[] = [];
  for (let n = 0; n < ITEMS; n += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, m) =>
      mailPiece(origin(m), { type: (n + m) % 3 === 0 ? "letter" : "postcard", payer: "canceller" }),
    );
    pieces.push(...(await Promise.all(batch)));
  }
  for (const piece of pieces) {
    await expect.poll(() => isStored(origin(0), piece)).toBe(true);
  }
  const charged = pieces.reduce((sum, { type }) => sum + (type === "letter" ? 2 : 1), 0);
  const answers: CancelAnswer[] = [];
  const routes: CancelRoute[] = [];
  for (let n = 0; n < ITEMS; n += AT_A_TIME) {
    const batch = pieces.slice(n, n + AT_A_TIME).flatMap((piece, place) =>
      Array.from({ length: AT_ONCE }, (_, m) => {
        // Cancels the first pieces through one route each, so that each route refunds, and the others through all.
        const route =
          ALL_CANCEL_ROUTES[n + place] ??
          ALL_CANCEL_ROUTES[(place + m) % ALL_CANCEL_ROUTES.length] ??
          "the proxy";
        routes.push(route);
        return askToCancel(origin(place + m), route, piece);
      }),
    );
    answers.push(...(await Promise.all(batch)));
  }
  // A later request finds it being cancelled (409) or already cancelled (200). The tab's form redirects to the tab
  // in either case.
  expect(answers.filter(({ status }) => ![200, 303, 409].includes(status ?? 0))).toEqual([]);
  expect(answers.filter(({ refunded, error }) => refunded === null && !error?.includes("already"))).toEqual(
    [],
  );
  for (const route of ALL_CANCEL_ROUTES) {
    const refunding = routes.filter((one, n) => one === route && (answers[n]?.refunded ?? 0) > 0);
    expect(refunding.length, route).toBeGreaterThan(0);
  }
  expect(answers.reduce((sum, { refunded }) => sum + (refunded ?? 0), 0)).toBe(charged);
  expect(answers.filter(({ refunded }) => refunded !== null && refunded > 0)).toHaveLength(ITEMS);
  const calls = bench.provider.received.filter(({ path }) => path.endsWith("/cancel"));
  expect(calls).toHaveLength(ITEMS);

  await bench.settle();
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, pieces: ITEMS });
  expect(await bench.loadAccount("canceller")).toEqual({ balance: 1_000, held: 0 });
  const refunds = await bench.inBooks((db) => db.creditTransaction.count({ where: { cause: "refund" } }));
  expect(refunds).toBe(ITEMS);
  for (const piece of pieces) {
    expect(await lookAtCancel(bench, piece)).toMatchObject({
      state: "cancelled",
      isCancelled: true,
      refunds: [piece.type === "letter" ? 2 : 1],
      atProvider: "cancelled",
    });
  }
});
