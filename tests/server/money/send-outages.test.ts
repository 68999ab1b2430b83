import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import type { ConsoleProcess } from "../../support/console/console-process";
import { layFlakyLink } from "../../support/database/flaky-link";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askForMail, askUntilSettled, type MailRequest } from "../../support/money/calls";
import {
  CREATE_PATH,
  HELD,
  type LoneOrder,
  lookAt,
  MAILED,
  NOTHING_DONE,
  newOrder,
  REFUSED,
} from "../../support/money/lone-sends";
import { promisedMs } from "../../support/own-time";

/** Live sends during which the database or the console goes away. */
let postgres: Postgres;
let bench: MoneyBench;
let healthy: ConsoleProcess;

beforeAll(async () => {
  postgres = await startPostgres();
  bench = await openBench({ postgres });
  healthy = await bench.start();
});
afterEach(async () => {
  await bench.settle();
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
});

const look = (order: LoneOrder) => lookAt(bench, order);

/** A console whose way to the database can be cut, with its connections made as at any time of the day. */
async function startFar() {
  const link = await layFlakyLink(bench.databaseUrl);
  const far = await bench.start({ DATABASE_URL: link.url });
  const probe = {
    type: "letter",
    envelope: { path: "recipients/list", method: "GET", body: undefined },
  } as const;
  expect((await askForMail(far.origin, probe)).status).toBe(200);
  const send = (order: MailRequest) => askForMail(far.origin, order);
  const end = async () => {
    await far.stop("SIGKILL");
    await link.close();
  };
  return { link, far, send, end, probe };
}

test.each(["cut", "silent"])(
  "the database is away (%s): 503 within 3 s, and what is free goes through",
  async (how) => {
    const { link, send, end, probe } = await startFar();
    const order = await newOrder(bench);
    const before = bench.provider.received.length;
    if (how === "cut") await link.cut();
    else link.silence();
    const startedAt = performance.now();
    const down = await send(order);
    expect(performance.now() - startedAt).toBeLessThan(promisedMs(3_000));
    expect([down.status, down.json.error]).toEqual([503, expect.stringContaining(NOTHING_DONE)]);
    expect(bench.provider.received).toHaveLength(before);
    expect((await send({ ...order, test: true })).json).toMatchObject({ status: 200, credits: null });
    expect((await send(probe)).json.status).toBe(200);
    await link.mend();
    await expect.poll(async () => (await send(order)).status, { timeout: promisedMs(5_000) }).toBe(200);
    expect(await look(order)).toEqual(MAILED);
    await end();
  },
);

test("the database goes away after the provider accepted: its answer, credits pending, captured once", async () => {
  const stories = [
    { fate: "lives on", type: "letter", path: "letters/create", cost: 2 },
    { fate: "is killed", type: "postcard", path: "postcards/create", cost: 1 },
  ] as const;
  await Promise.all(
    stories.map(async ({ fate, type, path, cost }) => {
      const { link, far, send, end } = await startFar();
      const order = await newOrder(bench, { type });
      const hold = bench.provider.fail({ kind: "hold", path, moment: "after" });
      const sending = send(order);
      await expect.poll(async () => (await look(order)).pieces).toBe(1);
      await link.cut();
      hold.release();
      const answer = await sending;
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        status: 200,
        error: null,
        credits: { success: false, creditsDeducted: 0, newBalance: null, pending: true, held: cost },
      });
      expect(await look(order)).toMatchObject({ ...HELD, held: cost });
      if (fate === "is killed") await far.stop("SIGKILL");
      await link.mend();
      const settled = await askUntilSettled(healthy.origin, order);
      expect(settled.json.credits).toMatchObject({ success: true, creditsDeducted: cost });
      expect(await look(order)).toEqual({ ...MAILED, balance: 10 - cost, debits: [cost] });
      await end();
    }),
  );
});

test("killed while it is out: one piece or, when refused, none; 'checking' until then", async () => {
  const wire = await layFlakyLink(bench.provider.baseUrl);
  const bases = { STANNP_BASE_URLS: `US=${bench.provider.baseUrl},Wire=${wire.url}` };
  // Whatever it has under way stays so until it is killed, also on a machine that has other work.
  const doomed = await bench.start({ ...bases, STANNP_TIMEOUT_MS: "60000" });
  const moments: [what: string, rule: FaultRule | null, changes: Partial<MailRequest>][] = [
    ["the provider has not seen it", null, { envelope: { baseUrl: wire.url } }],
    ["it has seen it and does it although the caller is gone", { kind: "hold" }, {}],
    ["it has seen it and does nothing", { kind: "timeout" }, {}],
    ["it has done it and not answered", { kind: "hold", moment: "after" }, {}],
    ["it has done it and its answer is lost", { kind: "timeout", moment: "after" }, {}],
    ["it has seen it and refuses it", { kind: "hold" }, { fields: { size: "9x9" } }],
  ];
  wire.silence();
  const orders: LoneOrder[] = [];
  const releases: (() => void)[] = [];
  const calls = [];
  for (const [what, rule, changes] of moments) {
    const order = await newOrder(bench, changes);
    const fault = rule && bench.provider.fail({ ...rule, path: CREATE_PATH });
    orders.push(order);
    calls.push(askForMail(doomed.origin, order));
    const patient = { message: what };
    if (fault) {
      releases.push(() => fault.release());
      await expect.poll(() => fault.hits, patient).toBe(1);
    } else await expect.poll(async () => (await look(order)).held, patient).toBe(2);
  }
  await doomed.stop("SIGKILL");
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(moments.map(() => null));
  for (const release of releases) release();
  await wire.mend();
  const next = await bench.start(bases);
  for (const answer of await Promise.all(orders.map((order) => askForMail(next.origin, order)))) {
    expect([202, 409]).toContain(answer.status);
    expect(answer.json.error).toMatch(/being sent right now|checking/);
  }
  // The dead console's claims, which would last for as long as its calls might have.
  await bench.inBooks((db) => db.$executeRaw`UPDATE sends SET lease_until = now() WHERE state = 'held'`);
  await Promise.all(orders.map((order) => askUntilSettled(next.origin, order)));
  expect(await Promise.all(orders.map(look))).toEqual([MAILED, MAILED, MAILED, MAILED, MAILED, REFUSED]);
  await next.stop("SIGKILL");
  await wire.close();
});

test("the provider cannot be reached: nothing is held, and it is said that nothing was sent", async () => {
  const wire = await layFlakyLink(bench.provider.baseUrl);
  const far = await bench.start({ STANNP_BASE_URLS: `US=${wire.url}` });
  const order = await newOrder(bench);
  await wire.cut();
  const answer = await askForMail(far.origin, order);
  expect([answer.status, answer.json.error]).toEqual([502, expect.stringContaining(NOTHING_DONE)]);
  expect(await look(order)).toMatchObject({ balance: 10, held: 0, pieces: 0 });
  await wire.mend();
  await far.stop("SIGKILL");
  await wire.close();
});
