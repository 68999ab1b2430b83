import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { layFlakyLink } from "../../support/database/flaky-link";
import { setUpBench } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { askForMail, askUntilSettled, type MailRequest } from "../../support/money/calls";
import {
  CREATE_PATH,
  HELD,
  type LoneOrder,
  ledgerOf,
  lookAt,
  MAILED,
  NOTHING_DONE,
  newOrder,
  REFUSED,
  sendsOf,
} from "../../support/money/lone-sends";
import { promisedMs } from "../../support/own-time";

/**
 * Live sends while the database is unreachable, refuses statements, or has lost their rows. The boundary walk
 * checks the books of most faults, but not the answers.
 */
const path = CREATE_PATH;
/** High enough for slow answers on a busy machine. */
const PATIENT = { STANNP_TIMEOUT_MS: "15000" };
const PROBE = {
  type: "letter",
  envelope: { path: "recipients/list", method: "GET", body: undefined },
} as const;

const bench = await setUpBench();
let healthy: ConsoleProcess;
/** Keys with which two consoles may call at once, because the database lost the claim of one of them. */
const overlaps: string[] = [];
const spool = mkdtempSync(join(tmpdir(), "spool-"));

beforeAll(async () => {
  healthy = await bench.start(PATIENT);
});
afterEach(async () => {
  await bench.settle();
  expect(await bench.audit()).toMatchObject({ ...ALL_WELL, overlaps });
});
afterAll(async () => {
  rmSync(spool, { recursive: true, force: true });
});

const look = (order: LoneOrder) => lookAt(bench, order);
const run = (sql: string) => bench.inBooks((db) => db.$executeRawUnsafe(sql));
/** The alarms about a send that was lost. */
const alarmsOf = (subjectId: string | undefined) =>
  bench.inBooks((db) => db.alarm.count({ where: { kind: "send_row_missing", subjectId: subjectId ?? "" } }));

/** A console whose connection to the database can be cut, with its open connections. */
async function startFar() {
  const link = await layFlakyLink(bench.databaseUrl);
  const variables = { ...PATIENT, DATABASE_URL: link.url, MAILROOM_SPOOL_DIR: spool };
  const far = await bench.start(variables);
  expect((await askForMail(far.origin, PROBE)).status).toBe(200);
  const send = (order: MailRequest) => askForMail(far.origin, order);
  const end = async () => {
    await far.stop("SIGKILL");
    await link.close();
  };
  return { link, far, send, variables, end };
}

/**
 * Sends an order and stops it at the provider, before or after the work there. Retries when the database is too
 * busy to begin (503, nothing sent).
 */
async function stopAtProvider(origin: string, order: LoneOrder, moment: "before" | "after" = "after") {
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
  if (moment === "after") await expect.poll(async () => (await look(order)).pieces).toBe(1);
  return { sending, hold };
}

test.each(["cut", "silent"])(
  "the database is unreachable (%s): 503 within 3 s, and free calls work",
  async (how) => {
    const { link, send, end } = await startFar();
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
    expect((await send(PROBE)).json.status).toBe(200);
    await link.mend();
    await expect.poll(async () => (await send(order)).status, { timeout: promisedMs(5_000) }).toBe(200);
    expect(await look(order)).toEqual(MAILED);
    await end();
  },
);

interface FaultCase {
  what: string;
  /** The statements that plant the fault while the provider's answer is held. */
  plant(payer: string): string[];
  mend: string;
  /** Status of the answer to the caller. */
  status: number;
  credits: object;
  /** The books, first during the fault and then after it is fixed. */
  first: object;
  last: object;
  alarms: number;
}
const PENDING = { success: false, creditsDeducted: 0, pending: true, held: 2 };
const CHARGED = { success: true, creditsDeducted: 2 };
const loseRow = (payer: string) => [
  `DELETE FROM sends WHERE user_id = '${payer}' AND state IN ('reserved', 'sending')`,
  `UPDATE credit_accounts SET held = 0 WHERE user_id = '${payer}'`,
];
const loseStart = (payer: string) => [
  `UPDATE sends SET state = 'reserved', attempts = 0 WHERE user_id = '${payer}'`,
];
const raise = (payer: string, table: string, event: string, error: string) => [
  `CREATE OR REPLACE FUNCTION refuse_payer() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN IF NEW.user_id = '${payer}' THEN RAISE EXCEPTION 'not today' ${error}; END IF; RETURN NEW; END $$`,
  `CREATE OR REPLACE TRIGGER refuse_payer BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_payer()`,
];
const refuseDebit = (error: string) => ({
  plant: (payer: string) => raise(payer, "credit_transactions", "INSERT", error),
  mend: "DROP TRIGGER refuse_payer ON credit_transactions",
  status: 200,
  credits: { ...PENDING, newBalance: null },
  first: { ...HELD, pieces: 1 },
  last: MAILED,
  alarms: 0,
});
const lose = (plant: FaultCase["plant"]) => ({
  plant,
  mend: "SELECT 1",
  status: 200,
  credits: CHARGED,
  first: MAILED,
  last: MAILED,
  alarms: 1,
});
const FAULTS: FaultCase[] = [
  { what: "a trigger that raises", ...refuseDebit("") },
  { what: "a disk that is full", ...refuseDebit("USING ERRCODE = 'disk_full'") },
  { what: "a lost row, as after a failover", ...lose(loseRow) },
  { what: "a lost start, as after a failover", ...lose(loseStart) },
  {
    what: "a refusal that cannot be stored",
    plant: (payer) => raise(payer, "sends", "UPDATE", ""),
    mend: "DROP TRIGGER refuse_payer ON sends",
    status: 202,
    credits: PENDING,
    first: HELD,
    last: REFUSED,
    alarms: 0,
  },
];

const named = FAULTS.map((row) => [row.what, row] as const);

test.each(named)("the outcome meets %s: the answer, and the books before and after", async (_what, row) => {
  const order = await newOrder(bench, row.last === REFUSED ? { fields: { size: "9x9" } } : {});
  const moment = row.last === REFUSED ? "before" : "after";
  const { sending, hold } = await stopAtProvider(healthy.origin, order, moment);
  for (const sql of row.plant(order.payer)) await run(sql);
  hold.release();
  const answer = await sending;
  expect(answer).toMatchObject({ status: row.status, json: { credits: row.credits } });
  // The provider's answer, except for a refusal that may not be final.
  expect(answer.json).toMatchObject(row.status === 200 ? { status: 200, error: null } : { status: null });
  expect(await look(order)).toMatchObject(row.first);
  await run(row.mend);
  await askUntilSettled(healthy.origin, order);
  expect(await look(order)).toEqual(row.last);
  expect(await alarmsOf((await sendsOf(bench, order))[0]?.id)).toBe(row.alarms);
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
      await run(
        `UPDATE sends SET settled_at = settled_at - interval '41 seconds' WHERE user_id = '${order.payer}'`,
      );
    }
    const before = bench.provider.pieces.length;
    const { sending, hold } = await stopAtProvider(far.origin, order);
    await far.stop("SIGKILL");
    for (const sql of loseRow(order.payer)) await run(sql);
    hold.release();
    await sending;
    const again = await askForMail(healthy.origin, order);
    expect(again.json).toMatchObject({ credits: CHARGED });
    expect(await look(order)).toEqual({ ...MAILED, states: [...refused, "accepted"] });
    expect(bench.provider.pieces).toHaveLength(before + 1);
    expect(await alarmsOf(again.json.send_id)).toBe(1);
    const repeat = { replayed: true, send_id: again.json.send_id };
    expect((await askForMail(healthy.origin, order)).json).toMatchObject(repeat);
    await end();
  },
);

test.each(["same", "other"])(
  "a send is lost while the %s console asks with its key again: one piece, charged once",
  async (which) => {
    const { far, end } = await startFar();
    const order = await newOrder(bench);
    const before = bench.provider.pieces.length;
    const { sending, hold } = await stopAtProvider(healthy.origin, order);
    for (const sql of loseRow(order.payer)) await run(sql);
    const again = await askForMail(which === "same" ? healthy.origin : far.origin, order);
    if (which === "same") expect(again.status).toBe(409);
    else {
      expect(again.json).toMatchObject({ credits: CHARGED });
      overlaps.push(again.json.send_id ?? "");
    }
    hold.release();
    expect((await sending).json.credits).toMatchObject(CHARGED);
    expect(await look(order)).toEqual(MAILED);
    expect(bench.provider.pieces).toHaveLength(before + 1);
    await end();
  },
);

test("lost with its credits: charged as far as the balance allows", async () => {
  const order = await newOrder(bench, {}, 2);
  const { sending, hold } = await stopAtProvider(healthy.origin, order);
  for (const sql of loseRow(order.payer)) await run(sql);
  const other = await askForMail(healthy.origin, { ...order, type: "postcard", key: `${order.key}-other` });
  expect(other.json.credits).toMatchObject({ success: true });
  hold.release();
  expect((await sending).json.credits).toMatchObject({ success: false, creditsDeducted: 1, newBalance: 0 });
  expect(await look(order)).toMatchObject({ balance: 0, held: 0, pieces: 2 });
});

test("a test that was mailed during a database outage is charged when it returns, also after a kill", async () => {
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
  const alarms = await bench.inBooks((db) => db.alarm.findMany({ where: { kind: "mailed_as_test" } }));
  expect(alarms).toMatchObject([{ subjectId: send?.id, times: 1 }]);
  await next.stop("SIGKILL");
  // A third console finds nothing to do.
  const third = await bench.start(variables);
  await askForMail(third.origin, { ...order, fields: { size: "A5" } });
  expect(await debits()).toEqual([2]);
  await third.stop("SIGKILL");
  await end();
});
