import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FaultHandle } from "../../emulators/mail-provider/faults/fault-desk";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askForMail, askUntilSettled, type MailAnswer, type MailRequest } from "../../support/money/calls";
import {
  CREATE_PATH,
  HELD,
  type LoneOrder,
  ledgerOf,
  lookAt,
  lookedUp,
  MAILED,
  makeOlder,
  newOrder,
  REFUSED,
} from "../../support/money/lone-sends";

/** What recovery believes of the provider's list, when a replay is refused and when it is too late for one. */
const path = CREATE_PATH;
const LIST = "reporting/list/.*";
/** More than a look at a list that may be late is put off. */
const SOON_HOURS = 130 / 3_600;
const LISTS_EACH_LOOK = 3;

let postgres: Postgres;
let bench: MoneyBench;
let console: ConsoleProcess;
/** Rules that meet every call until the end of a test. */
const standing: FaultHandle[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  bench = await openBench({ postgres });
  console = await bench.start();
});
afterEach(async () => {
  for (const rule of standing.splice(0)) rule.release();
  await bench.settle();
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
});

const send = (order: MailRequest) => askForMail(console.origin, order);
const settle = (order: LoneOrder) => askUntilSettled(console.origin, order);
const look = (order: LoneOrder) => lookAt(bench, order);
const countLists = () =>
  bench.provider.received.filter((call) => call.path.startsWith("reporting/list")).length;

/** Not known what came of it, and refused whenever it is asked for again. */
async function sendThenRefuse(order: LoneOrder, first: "reset-before" | "reset-after"): Promise<MailAnswer> {
  bench.provider.fail({ kind: first, path });
  refuseAll();
  const answer = await send(order);
  expect(answer.status).toBe(202);
  return answer;
}

function refuseAll(): void {
  standing.push(bench.provider.fail({ kind: "status", status: 402, path, times: "always" }));
}

function answerList(pieces: object[]): FaultHandle {
  const body = JSON.stringify({ success: true, data: { singles: pieces } });
  const rule = bench.provider.fail({ kind: "respond", path: LIST, body, times: "always" });
  standing.push(rule);
  return rule;
}

test("not known, then refused: released once a second look at the list finds nothing either", async () => {
  const order = await newOrder(bench);
  const before = countLists();
  await sendThenRefuse(order, "reset-before");
  await lookedUp(bench, [order], 10);
  // By its tag, and then the whole list: a page, and the one that shows its end.
  expect(countLists()).toBe(before + LISTS_EACH_LOOK);
  expect(await look(order)).toMatchObject({ ...HELD, states: ["unknown"] });
  await makeOlder(bench, [order], SOON_HOURS);
  expect((await settle(order)).json.credits?.error).toMatch(/^Nothing was charged/);
  expect(countLists()).toBe(before + 2 * LISTS_EACH_LOOK);
  expect(await look(order)).toEqual(REFUSED);
});

test.each([
  ["something is gone", 404, "Template not found"],
  ["it speaks of an earlier piece", 400, "Duplicate of an earlier request"],
])("refused because %s: a list that is late by a minute is not believed", async (_why, status, error) => {
  const order = await newOrder(bench);
  bench.provider.fail({ kind: "reset-before", path });
  const body = JSON.stringify({ success: false, error });
  const refused = bench.provider.fail({ kind: "status", status, body, path, times: "always" });
  standing.push(refused);
  expect((await send(order)).status).toBe(202);
  await lookedUp(bench, [order], 60);
  const hits = refused.hits;
  await makeOlder(bench, [order], 60 / 3_600);
  await expect.poll(() => refused.hits).toBe(hits + 1);
  await lookedUp(bench, [order], 30);
  expect(await look(order)).toMatchObject({ ...HELD, states: ["unknown"] });
  await makeOlder(bench, [order], 60 / 3_600);
  await expect.poll(() => look(order)).toEqual(REFUSED);
});

test("each further refusal leaves the wait for the list as long as it was", async () => {
  const order = await newOrder(bench);
  bench.provider.fail({ kind: "reset-before", path });
  const refused = bench.provider.fail({ kind: "refuse200", path, times: "always" });
  standing.push(refused);
  expect((await send(order)).status).toBe(202);
  await lookedUp(bench, [order], 10);
  // Twice two thirds of the wait, with a refusal after each.
  const hits = refused.hits;
  await makeOlder(bench, [order], 20 / 3_600);
  await expect.poll(() => refused.hits).toBe(hits + 1);
  await lookedUp(bench, [order], 3);
  expect(await look(order)).toMatchObject({ ...HELD, states: ["unknown"] });
  await makeOlder(bench, [order], 20 / 3_600);
  await expect.poll(() => look(order)).toEqual(REFUSED);
  expect(refused.hits).toBe(hits + 2);
});

test("refused although it was mailed, and the list is late: kept until it is there, and charged once", async () => {
  const order = await newOrder(bench);
  const late = answerList([]);
  await sendThenRefuse(order, "reset-after");
  await lookedUp(bench, [order], 10);
  expect(await look(order)).toMatchObject({ ...HELD, states: ["unknown"], pieces: 1 });
  late.release();
  await makeOlder(bench, [order], SOON_HOURS);
  expect((await settle(order)).json.credits).toMatchObject({ success: true, creditsDeducted: 2 });
  expect(await look(order)).toEqual(MAILED);
});

test("not known, then refused although it was mailed: found in the provider's list, and charged once", async () => {
  const order = await newOrder(bench);
  bench.provider.fail({ kind: "reset-after", path });
  const refused = bench.provider.fail({ kind: "status", status: 402, path });
  const listDown = bench.provider.fail({ kind: "html", status: 502, path: "reporting/list/.*" });
  const refusedAgain = bench.provider.fail({ kind: "refuse200", path });
  expect((await send(order)).status).toBe(202);
  const settled = await settle(order);
  expect([refused.hits, listDown.hits, refusedAgain.hits]).toEqual([1, 1, 1]);
  expect(settled.json.credits).toMatchObject({ success: true, creditsDeducted: 2, newBalance: 8 });
  expect(await look(order)).toEqual(MAILED);
});

test.each([
  ["its status", 5, { id: "471100", status: "test" }],
  ["its id", 5, { id: 0, status: "received" }],
  ["its status, too late for a replay", 21 * 3_600, { id: "471100", status: "test" }],
])("a test by %s in the list is never charged", async (_what, seconds, piece) => {
  const order = await newOrder(bench);
  const down = bench.provider.fail({ kind: "html", status: 502, path, times: "always" });
  const { send_id: id } = (await send(order)).json;
  answerList([{ ...piece, tags: `mailroom-${id}` }]);
  refuseAll();
  await makeOlder(bench, [order], seconds / 3_600);
  down.release();
  expect((await settle(order)).json.credits).toMatchObject({ creditsDeducted: 0, newBalance: 10 });
  expect(await look(order)).toEqual(REFUSED);
});

test("found in the list after its hold was given back: an alarm", async () => {
  const order = await newOrder(bench);
  const list = bench.provider.fail({ kind: "hold", path: LIST });
  const { send_id: id } = (await sendThenRefuse(order, "reset-after")).json;
  await expect.poll(() => list.hits).toBe(1);
  await rewrite(order, "refused", 0);
  list.release();
  const alarms = () => bench.inBooks((db) => db.alarm.findMany({ where: { subjectId: id ?? "" } }));
  await expect.poll(alarms).toMatchObject([{ kind: "mailed_after_release", closedAt: null }]);
  await rewrite(order, "unknown", 2);
});

/** As if it had been settled otherwise in between. */
async function rewrite({ payer: userId }: LoneOrder, state: string, held: number): Promise<void> {
  await bench.inBooks((db) =>
    db.$transaction([
      db.send.updateMany({ where: { userId }, data: { state, leaseUntil: new Date() } }),
      db.creditAccount.update({ where: { userId }, data: { held } }),
    ]),
  );
}

test("found in the list as cancelled: charged and refunded at one stroke, or neither", async () => {
  const order = await newOrder(bench);
  await bench.inBooks(async (db) => {
    await db.$executeRaw`
      CREATE FUNCTION refuse_cancelled() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'not now'; END $$`;
    await db.$executeRaw`
      CREATE TRIGGER refuse_cancelled BEFORE UPDATE ON sends FOR EACH ROW WHEN (NEW.state = 'cancelled')
        EXECUTE FUNCTION refuse_cancelled()`;
  });
  const list = bench.provider.fail({ kind: "hold", path: LIST });
  const { send_id: id } = (await sendThenRefuse(order, "reset-after")).json;
  await expect.poll(() => list.hits).toBe(1);
  const piece = bench.provider.pieces.find(({ tags }) => tags === `mailroom-${id}`);
  bench.provider.move(piece?.id ?? 0, "cancelled");
  list.release();
  const isLeft = () =>
    console.output.some((line) => line.includes("background.row_failed") && line.includes(id ?? ""));
  await expect.poll(isLeft).toBe(true);
  expect(await look(order)).toMatchObject({ ...HELD, states: ["unknown"] });
  await bench.inBooks((db) => db.$executeRaw`DROP TRIGGER refuse_cancelled ON sends`);
  await expect.poll(async () => (await look(order)).states).toEqual(["cancelled"]);
  expect(await bench.loadAccount(order.payer)).toEqual({ balance: 10, held: 0 });
  expect((await ledgerOf(bench, order)).map(({ cause, amount }) => [cause, amount])).toEqual([
    ["send", 2],
    ["refund", 2],
  ]);
});
