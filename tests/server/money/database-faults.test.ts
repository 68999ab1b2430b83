import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { command, type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
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

/** A database that takes no writes, and clocks that are hours away from each other. */
let postgres: Postgres;
let bench: MoneyBench;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mailroom-clock-"));
  postgres = await startPostgres();
  bench = await openBench({ postgres });
});
afterEach(async () => {
  await bench.settle();
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
  await rm(folder, { recursive: true, force: true });
});

const look = (order: LoneOrder) => lookAt(bench, order);

/** As an operator or a failover does it: for new connections, and the old ones end. */
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
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

test("a read-only database: live mail is not sent, tests are, and all goes on when it takes writes", async () => {
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
});

test("consoles whose clocks are hours apart settle the same sends once", async () => {
  const shift = join(folder, "shift.cjs");
  writeFileSync(
    shift,
    `const now = Date.now; const by = Number(process.env.SHIFT_MS);
    const Real = Date;
    globalThis.Date = class extends Real { constructor(...given) { given.length ? super(...given) : super(now() + by); } };
    globalThis.Date.now = () => now() + by;`,
  );
  const clock = (hours: number) => ({
    NODE_OPTIONS: `--require ${shift}`,
    SHIFT_MS: String(hours * 3_600_000),
  });
  const [early, late] = [await bench.start(clock(-5)), await bench.start(clock(5))];
  const orders = await Promise.all([0, 1, 2, 3].map(() => newOrder(bench)));
  const lost = bench.provider.fail({ kind: "reset-after", path: CREATE_PATH, times: 2 });
  const answers = await Promise.all(
    orders.map((order, place) => askForMail((place % 2 === 0 ? early : late).origin, order)),
  );
  expect(lost.hits).toBe(2);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 202, 202]);
  for (const order of orders) await askUntilSettled(late.origin, order);
  expect(await Promise.all(orders.map(look))).toEqual(orders.map(() => MAILED));
});
