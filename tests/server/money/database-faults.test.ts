import { afterEach, expect, test } from "vitest";
import { makeClock } from "../../support/console/movable-clock";
import { command } from "../../support/database/postgres";
import { setUpBench } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { askForMail, askUntilSettled } from "../../support/money/calls";
import {
  CREATE_PATH,
  HELD,
  type LoneOrder,
  lookAt,
  MAILED,
  NOTHING_DONE,
  newOrder,
  UNTOUCHED,
} from "../../support/money/lone-sends";

/** A database that refuses writes, and clocks that differ by hours or jump. */
const HOUR_MS = 3_600_000;
const bench = await setUpBench();

afterEach(async () => {
  await bench.settle();
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});
const look = (order: LoneOrder) => lookAt(bench, order);

/**
 * Makes the database read-only, or writable, as an operator or a failover does: for new connections, and waits for the
 * end of the old ones.
 */
async function setReadOnly(on: boolean): Promise<void> {
  const name = new URL(bench.databaseUrl).pathname.slice(1);
  const admin = new URL(bench.databaseUrl);
  admin.pathname = "/postgres";
  await command(
    admin.href,
    `ALTER DATABASE "${name}" ${on ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only"}`,
  );
  await command(
    admin.href,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

test("a read-only database: live mail is not sent, tests are, and all work continues when it accepts writes", async () => {
  const console = await bench.start();
  const order = await newOrder(bench);
  await setReadOnly(true);
  const refused = await askForMail(console.origin, order);
  expect([refused.status, refused.json.error]).toEqual([503, expect.stringContaining(NOTHING_DONE)]);
  expect((await askForMail(console.origin, { ...order, test: true })).status).toBe(200);
  await setReadOnly(false);
  await expect.poll(() => look(order).catch(() => null)).toEqual(UNTOUCHED);
  await expect.poll(async () => (await askForMail(console.origin, order)).status).toBe(200);
  expect(await look(order)).toEqual(MAILED);
  await console.stop("SIGKILL");
});

test("a database that becomes read-only during a call: the provider's answer, charged once later", async () => {
  const console = await bench.start({ STANNP_TIMEOUT_MS: "15000" });
  const order = await newOrder(bench);
  const hold = bench.provider.fail({ kind: "hold", moment: "after", path: CREATE_PATH });
  const sending = askForMail(console.origin, order);
  await expect.poll(() => hold.hits).toBe(1);
  await setReadOnly(true);
  hold.release();
  const answer = await sending;
  expect(answer.status).toBe(200);
  expect(answer.json.credits).toMatchObject({ success: false, pending: true, held: 2 });
  await setReadOnly(false);
  await expect.poll(() => look(order).catch(() => HELD)).toEqual(MAILED);
  await console.stop("SIGKILL");
});

test("consoles whose clocks are hours apart settle the same sends once", async () => {
  const clocks = [makeClock(-5 * HOUR_MS), makeClock(5 * HOUR_MS)];
  const [early, late] = [await bench.start(clocks[0]?.variables), await bench.start(clocks[1]?.variables)];
  const orders = await Promise.all([0, 1, 2, 3].map(() => newOrder(bench)));
  const lost = bench.provider.fail({ kind: "reset-after", path: CREATE_PATH, times: 2 });
  const answers = await Promise.all(
    orders.map((order, place) => askForMail((place % 2 === 0 ? early : late).origin, order)),
  );
  expect(lost.hits).toBe(2);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 202, 202]);
  for (const order of orders) await askUntilSettled(late.origin, order);
  expect(await Promise.all(orders.map(look))).toEqual(orders.map(() => MAILED));
  for (const one of [early, late]) await one.stop("SIGKILL");
  for (const clock of clocks) clock.remove();
});

test("a clock that jumps during a send and during a check: each is mailed and charged once", async () => {
  const clock = makeClock();
  const console = await bench.start({ ...clock.variables, STANNP_TIMEOUT_MS: "15000" });
  for (const hours of [5, -5]) {
    const [checked, under] = [await newOrder(bench), await newOrder(bench)];
    bench.provider.fail({ kind: "reset-after", path: CREATE_PATH });
    expect((await askForMail(console.origin, checked)).status).toBe(202);
    const hold = bench.provider.fail({ kind: "hold", moment: "before", path: CREATE_PATH });
    const sending = askForMail(console.origin, under);
    await expect.poll(() => hold.hits).toBe(1);
    await clock.set(hours * HOUR_MS, [console]);
    // Moves the leases of all calls into the past, including those under way.
    await bench.sql`UPDATE sends SET lease_until = now() WHERE lease_until IS NOT NULL`;
    await askUntilSettled(console.origin, checked);
    hold.release();
    expect((await sending).json.credits).toMatchObject({ success: true, creditsDeducted: 2 });
    for (const order of [checked, under]) expect(await look(order)).toEqual(MAILED);
  }
  // The rate limit's wait is over by the database's clock, although this console's clock is hours behind.
  const order = await newOrder(bench);
  bench.provider.fail({ kind: "rate-limit", resetSeconds: 40, path: CREATE_PATH });
  await askForMail(console.origin, order);
  expect((await askForMail(console.origin, order)).json.replayed).toBe(true);
  await bench.sql`
    UPDATE sends SET settled_at = settled_at - interval '41 seconds' WHERE user_id = ${order.payer}`;
  expect((await askForMail(console.origin, order)).json.credits).toMatchObject({ success: true });
  await console.stop("SIGKILL");
  clock.remove();
});
