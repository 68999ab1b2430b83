import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
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
  ledgerOf,
  lookAt,
  MAILED,
  newOrder,
  REFUSED,
  sendsOf,
} from "../../support/money/lone-sends";

/** What the provider answered, and the database does not take: lost, away, or answering with an error. */
const path = CREATE_PATH;
/** An answer that is slow on a busy machine is still an answer. */
const PATIENT = { STANNP_TIMEOUT_MS: "15000" };

let postgres: Postgres;
let bench: MoneyBench;
let healthy: ConsoleProcess;
/** Keys that two consoles may well call with at once, because the database lost that one of them does. */
const overlaps: string[] = [];
const spool = mkdtempSync(join(tmpdir(), "spool-"));

beforeAll(async () => {
  postgres = await startPostgres();
  bench = await openBench({ postgres });
  healthy = await bench.start(PATIENT);
});
afterEach(async () => {
  await bench.settle();
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, overlaps });
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
  rmSync(spool, { recursive: true, force: true });
});

const look = (order: LoneOrder) => lookAt(bench, order);
const alarmsOf = (kind: string) =>
  bench.inBooks((db) => db.alarm.findMany({ where: { kind }, orderBy: { id: "asc" } }));

/** A console whose way to the database can be cut. */
async function startFar() {
  const link = await layFlakyLink(bench.databaseUrl);
  const variables = { ...PATIENT, DATABASE_URL: link.url, MAILROOM_SPOOL_DIR: spool };
  const far = await bench.start(variables);
  await askForMail(far.origin, {
    type: "letter",
    envelope: { path: "recipients/list", method: "GET", body: undefined },
  });
  const end = async () => {
    await far.stop("SIGKILL");
    await link.close();
  };
  return { link, far, variables, end };
}

/**
 * Sends an order and stops it at the provider, before or after it is done there.
 * Where the database is too busy to begin (503, nothing sent), it asks again.
 */
async function stopAtProvider(origin: string, order: MailRequest, moment: "before" | "after") {
  const hold = bench.provider.fail({ kind: "hold", path, moment });
  const held = (async () => {
    await expect.poll(() => hold.hits).toBe(1);
  })();
  let sending = askForMail(origin, order);
  for (;;) {
    const early = await Promise.race([held, sending]);
    if (!early) break;
    if (early.status !== 503) throw new Error(`Not called: ${early.status} ${JSON.stringify(early.json)}`);
    sending = askForMail(origin, order);
  }
  if (moment === "after") await expect.poll(async () => (await look(order as LoneOrder)).pieces).toBe(1);
  return { sending, hold };
}

test("a refusal that cannot be stored is not told: it is checking, then stored or recovered", async () => {
  for (const fate of ["lives on", "is killed"]) {
    const { link, far, end } = await startFar();
    const order = await newOrder(bench, { fields: { size: "9x9" } });
    const { sending, hold } = await stopAtProvider(far.origin, order, "before");
    await link.cut();
    hold.release();
    const answer = await sending;
    expect(answer.status, fate).toBe(202);
    expect(answer.json).toMatchObject({ pending: true, status: null, credits: { pending: true, held: 2 } });
    expect(answer.json.credits?.error).not.toMatch(/Nothing was charged/);
    if (fate === "is killed") {
      await far.stop("SIGKILL");
      await bench.inBooks((db) => db.$executeRaw`UPDATE sends SET lease_until = now() WHERE state = 'held'`);
    }
    await link.mend();
    await askUntilSettled(healthy.origin, order);
    expect(await look(order), fate).toEqual(REFUSED);
    await end();
  }
});

test.each([
  ["a trigger that raises", "RAISE EXCEPTION 'not today'"],
  ["a constraint", "RAISE EXCEPTION 'not today' USING ERRCODE = 'check_violation'"],
  ["a disk that is full", "RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'"],
  ["a lock that is not given", "RAISE EXCEPTION 'not today' USING ERRCODE = 'lock_not_available'"],
])(
  "the settling fails by %s: the provider's answer with credits pending, booked once later",
  async (_, raise) => {
    const order = await newOrder(bench);
    await bench.inBooks(async (db) => {
      await db.$executeRawUnsafe(`
      CREATE OR REPLACE FUNCTION refuse_debits() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.user_id = '${order.payer}' THEN ${raise}; END IF; RETURN NEW; END $$`);
      await db.$executeRawUnsafe(`
      CREATE OR REPLACE TRIGGER refuse_debits BEFORE INSERT ON credit_transactions FOR EACH ROW EXECUTE FUNCTION refuse_debits()`);
    });
    const answer = await askForMail(healthy.origin, order);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      status: 200,
      error: null,
      data: { status: "received" },
      credits: { success: false, pending: true, held: 2, newBalance: null },
    });
    expect(await look(order)).toMatchObject({ ...HELD, pieces: 1 });
    await bench.inBooks((db) => db.$executeRawUnsafe("DROP TRIGGER refuse_debits ON credit_transactions"));
    await askUntilSettled(healthy.origin, order);
    expect(await look(order)).toEqual(MAILED);
  },
);

test("a failover lost the row of a send, or its start: it is written anew, charged once, with an alarm", async () => {
  const [lostRow, lostStart] = await Promise.all([newOrder(bench), newOrder(bench)]);
  for (const order of [lostRow, lostStart]) {
    const { sending, hold } = await stopAtProvider(healthy.origin, order, "after");
    await bench.inBooks(async (db) => {
      if (order === lostStart) {
        await db.$executeRaw`UPDATE sends SET attempts = 0 WHERE user_id = ${order.payer}`;
        return;
      }
      await db.$executeRaw`DELETE FROM sends WHERE user_id = ${order.payer}`;
      await db.$executeRaw`UPDATE credit_accounts SET held = 0 WHERE user_id = ${order.payer}`;
    });
    hold.release();
    expect((await sending).json).toMatchObject({
      status: 200,
      credits: { success: true, creditsDeducted: 2 },
    });
    expect(await look(order)).toEqual(MAILED);
    const [send] = await sendsOf(bench, order);
    expect(await alarmsOf("send_row_missing")).toContainEqual(
      expect.objectContaining({ subjectId: send?.id, closedAt: null }),
    );
  }
});

/** As a standby that did not get the open send. */
const loseOpenSend = ({ payer }: LoneOrder) =>
  bench.inBooks(async (db) => {
    await db.$executeRaw`DELETE FROM sends WHERE user_id = ${payer} AND state = 'held'`;
    await db.$executeRaw`UPDATE credit_accounts SET held = 0 WHERE user_id = ${payer}`;
  });

test.each(["first", "freed by a rate limit"])(
  "a send is lost with its process: its key again (%s) finds the piece, charged once, with an alarm",
  async (kind) => {
    const { far, end } = await startFar();
    const order = await newOrder(bench);
    const refused = kind === "first" ? [] : ["refused"];
    if (refused.length > 0) {
      bench.provider.fail({ kind: "rate-limit", resetSeconds: 40, path });
      await askForMail(healthy.origin, order);
      await bench.inBooks(
        (db) => db.$executeRaw`
          UPDATE sends SET settled_at = settled_at - interval '41 seconds' WHERE user_id = ${order.payer}`,
      );
    }
    const before = bench.provider.pieces.length;
    const { sending, hold } = await stopAtProvider(far.origin, order, "after");
    await far.stop("SIGKILL");
    await loseOpenSend(order);
    hold.release();
    await sending;
    const again = await askForMail(healthy.origin, order);
    expect(again.json).toMatchObject({ credits: { success: true, creditsDeducted: 2 } });
    expect(await look(order)).toEqual({ ...MAILED, states: [...refused, "accepted"] });
    expect(bench.provider.pieces).toHaveLength(before + 1);
    const alarms = await alarmsOf("send_row_missing");
    expect(alarms.filter(({ subjectId }) => subjectId === again.json.send_id)).toHaveLength(1);
    expect((await askForMail(healthy.origin, order)).json).toMatchObject({
      replayed: true,
      send_id: again.json.send_id,
    });
    await end();
  },
);

test.each(["same", "other"])(
  "a send is lost while the %s console asks with its key again: one piece, charged once",
  async (whose) => {
    const { far, end } = await startFar();
    const order = await newOrder(bench);
    const before = bench.provider.pieces.length;
    const { sending, hold } = await stopAtProvider(healthy.origin, order, "after");
    await loseOpenSend(order);
    const again = await askForMail(whose === "same" ? healthy.origin : far.origin, order);
    if (whose === "same") expect(again.status).toBe(409);
    else {
      expect(again.json).toMatchObject({ credits: { success: true, creditsDeducted: 2 } });
      overlaps.push(again.json.send_id ?? "");
    }
    hold.release();
    expect((await sending).json.credits).toMatchObject({ success: true, creditsDeducted: 2 });
    expect(await look(order)).toEqual(MAILED);
    expect(bench.provider.pieces).toHaveLength(before + 1);
    await end();
  },
);

test("a provider that knows the key of a lost send from another request is not believed to refuse", async () => {
  const order = await newOrder(bench);
  const body = JSON.stringify({
    success: false,
    error: "This idempotency key was used with a different request",
  });
  bench.provider.fail({ kind: "respond", status: 422, body, path });
  expect(await askForMail(healthy.origin, order)).toMatchObject({ status: 202, json: { pending: true } });
  await askUntilSettled(healthy.origin, order);
  expect(await look(order)).toEqual(MAILED);
});

test("lost with its credits: charged as far as the balance allows, and the alarm says so", async () => {
  const order = await newOrder(bench, {}, 2);
  const { sending, hold } = await stopAtProvider(healthy.origin, order, "after");
  await bench.inBooks(async (db) => {
    await db.$executeRaw`DELETE FROM sends WHERE user_id = ${order.payer}`;
    await db.$executeRaw`UPDATE credit_accounts SET held = 0 WHERE user_id = ${order.payer}`;
  });
  const other = await askForMail(healthy.origin, { ...order, type: "postcard", key: `${order.key}-other` });
  expect(other.json.credits).toMatchObject({ success: true });
  hold.release();
  expect((await sending).json.credits).toMatchObject({ success: false, creditsDeducted: 1, newBalance: 0 });
  expect(await look(order)).toMatchObject({ balance: 0, held: 0, pieces: 2 });
});

test("a test that was mailed while the database was away is charged when it is back, also after a kill", async () => {
  const { link, far, variables, end } = await startFar();
  const order = await newOrder(bench, { test: true });
  const live = bench.provider.fail({ kind: "answer-live", path });
  await link.cut();
  const answer = await askForMail(far.origin, order);
  expect(live.hits).toBe(1);
  expect(answer.status).toBe(200);
  expect(answer.json.credits).toMatchObject({ success: false, creditsDeducted: 0, pending: true });
  await far.stop("SIGKILL");
  await link.mend();
  expect(await look(order)).toMatchObject({ balance: 10, debits: [] });
  const next = await bench.start(variables);
  const debits = async () => (await ledgerOf(bench, order)).map(({ amount }) => amount);
  await expect.poll(debits).toEqual([2]);
  const [send] = await sendsOf(bench, order);
  expect(send).toMatchObject({ state: "accepted", charged: 2 });
  expect(await alarmsOf("mailed_as_test")).toMatchObject([{ subjectId: send?.id, times: 1 }]);
  await next.stop("SIGKILL");
  // A third one finds nothing to do.
  const third = await bench.start(variables);
  await askForMail(third.origin, { ...order, fields: { size: "A5" } });
  expect(await debits()).toEqual([2]);
  await third.stop("SIGKILL");
  await end();
});

test("a test that is answered with a piece of ours books nothing a second time", async () => {
  const order = await newOrder(bench);
  const mailed = await askForMail(healthy.origin, order);
  const { id } = mailed.json.data as { id: number };
  for (const status of [409, 200]) {
    const body = JSON.stringify({ success: true, data: { id, status: "received" } });
    bench.provider.fail({ kind: "respond", status, body, path });
    const answer = await askForMail(healthy.origin, { ...order, key: `${order.key}-${status}`, test: true });
    expect(answer.json.credits).toBeNull();
    expect(answer.json.hint).toContain(String(id));
  }
  expect(await look(order)).toEqual(MAILED);
});
