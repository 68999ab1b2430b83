import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askForMail, askUntilSettled, type MailRequest } from "../../support/money/calls";
import {
  CREATE_PATH,
  callsOf,
  HELD,
  type LoneOrder,
  ledgerOf,
  lookAt,
  lookedUp,
  MAILED,
  makeOlder,
  NOTHING_DONE,
  newOrder,
  REFUSED,
  sendsOf,
  UNTOUCHED,
} from "../../support/money/lone-sends";

/** Every answer a provider may give to a live send, each forced by the emulator. */
const path = CREATE_PATH;

let postgres: Postgres;
let bench: MoneyBench;
let console: ConsoleProcess;

beforeAll(async () => {
  postgres = await startPostgres();
  bench = await openBench({ postgres });
  console = await bench.start();
});
afterEach(async () => {
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

test.each([
  ["a path that is none", 400, { envelope: { path: "../letters/create" } }],
  ["a key that is none", 400, { key: "short" }],
  ["a body that is none", 400, { envelope: { body: "not an object" } }],
  ["a NUL", 400, { fields: { pages: "a\u0000b" } }],
  ["another host", 403, { envelope: { baseUrl: "https://example.com/v1" } }],
])("bad input: %s is a %d before any row", async (_what, status, changes) => {
  const order = await newOrder(bench, changes);
  const before = bench.provider.received.length;
  const answer = await send(order);
  expect(answer.status).toBe(status);
  expect(answer.json.error).toContain(NOTHING_DONE);
  expect(await look(order)).toEqual(UNTOUCHED);
  expect(bench.provider.received).toHaveLength(before);
});

test("somebody who does not exist cannot pay", async () => {
  const answer = await send({ type: "letter", payer: "nobody", key: "lone-order-nobody" });
  expect([answer.status, answer.json.error]).toEqual([404, expect.stringContaining(NOTHING_DONE)]);
  expect(await bench.inBooks((db) => db.user.count({ where: { id: "nobody" } }))).toBe(0);
});

test("not enough credits: 402 with what is missing and where to buy, and the key stays free", async () => {
  const order = await newOrder(bench, {}, 1);
  const before = bench.provider.received.length;
  const short = await send(order);
  expect(short.status).toBe(402);
  expect(short.json).toMatchObject({ balance: 1, cost: 2, shortfall: 1, credits: { success: false } });
  expect(short.json.error).toMatch(
    /needs 2 credits and you have 1\. Nothing was sent and nothing was charged\./,
  );
  expect(short.json.buy_url).toContain(order.payer);
  expect(bench.provider.received).toHaveLength(before);
  expect(await look(order)).toEqual({ ...UNTOUCHED, balance: 1 });
  await bench.grant(order.payer, 9);
  const paid = await send(order);
  expect(paid.status).toBe(200);
  expect(paid.json.replayed).toBeUndefined();
  expect(await look(order)).toEqual(MAILED);
});

test("what is held for others cannot be spent", async () => {
  const order = await newOrder(bench, {}, 3);
  const hold = bench.provider.fail({ kind: "hold", path });
  const first = send(order);
  await expect.poll(() => hold.hits).toBe(1);
  const short = await send({ ...order, key: `${order.key}-b` });
  expect(short.json).toMatchObject({ balance: 3, cost: 2, shortfall: 1 });
  hold.release();
  expect((await first).status).toBe(200);
});

test("without any database: mailed, and said that credits are not tracked", async () => {
  const bare = await bench.start({ DATABASE_URL: "" });
  // So that the audit need not know a piece without books.
  const asTest = bench.provider.fail({ kind: "answer-test", path });
  const answer = await askForMail(bare.origin, { type: "letter", key: "lone-order-untracked" });
  expect(asTest.hits).toBe(1);
  expect(answer.status).toBe(200);
  expect(answer.json.credits).toMatchObject({ success: false, creditsDeducted: 0, newBalance: null });
  expect(answer.json.credits?.error).toMatch(/not tracked/);
  await bare.stop("SIGKILL");
});

test("accepted: one piece, one debit, the new balance", async () => {
  const order = await newOrder(bench, { fields: { tags: "spring" } });
  const answer = await send(order);
  expect(answer.json).toMatchObject({
    status: 200,
    error: null,
    credits: {
      success: true,
      mailType: "letter",
      creditsDeducted: 2,
      newBalance: 8,
      userId: order.payer,
      error: null,
    },
  });
  const [kept] = await sendsOf(bench, order);
  const { id } = answer.json.data as { id: number };
  expect(kept).toMatchObject({ state: "accepted", charged: 2, providerId: String(id) });
  const [call] = await callsOf(bench, order);
  expect(call?.body).toMatchObject({ idempotency_key: kept?.id, tags: `mailroom-${kept?.id},spring` });
  expect(await ledgerOf(bench, order)).toMatchObject([
    { amount: 2, transactionType: "debit", cause: "send", causeKey: kept?.id, actorId: "auth-ana" },
  ]);
  expect(await bench.loadAccount(order.payer)).toEqual({ balance: 8, held: 0 });
});

test.each([
  ...[400, 401, 402, 403, 404, 413, 415, 422].map((status): [string, FaultRule] => [
    String(status),
    { kind: "status", status },
  ]),
  ["200 with success:false", { kind: "refuse200" }],
  ["429 with a long wait", { kind: "rate-limit", resetSeconds: 40 }],
] as [string, FaultRule][])(
  "refused by %s: its reason, and the hold goes with the record",
  async (_what, rule) => {
    const order = await newOrder(bench);
    bench.provider.fail({ ...rule, path });
    const answer = await send(order);
    expect(answer.status).toBe(200);
    expect(answer.json.error).toBeTruthy();
    expect(answer.json.pending).toBeUndefined();
    expect(answer.json.credits).toMatchObject({ success: false, creditsDeducted: 0, newBalance: 10 });
    expect(answer.json.credits?.error).toMatch(/^Nothing was charged/);
    expect(await look(order)).toEqual(REFUSED);
    if (rule.kind === "rate-limit") expect(answer.json.hint).toMatch(/40 s/);
  },
);

test("429 with a short wait: repeated within the call, with the same key and bytes", async () => {
  const order = await newOrder(bench);
  const limit = bench.provider.fail({ kind: "rate-limit", resetSeconds: 1, path });
  const answer = await send(order);
  expect(limit.hits).toBe(1);
  expect(answer.json.credits).toMatchObject({ success: true, creditsDeducted: 2 });
  expect(await look(order)).toEqual(MAILED);
  const calls = await callsOf(bench, order);
  expect(calls).toHaveLength(2);
  expect(new Set(calls.map(({ rawText }) => rawText)).size).toBe(1);
});

test("429 without a wait: the provider is not hammered", async () => {
  const order = await newOrder(bench);
  const limit = bench.provider.fail({ kind: "rate-limit", resetSeconds: 0, path, times: "always" });
  await send(order);
  limit.release();
  expect(limit.hits).toBeLessThan(5);
});

test("not known: held and 202, then exactly one, by the same key and bytes", async () => {
  const moments: FaultRule[] = [
    { kind: "timeout" },
    { kind: "timeout", moment: "after" },
    { kind: "reset-before" },
    { kind: "reset-after" },
    { kind: "error-after" },
    { kind: "error-after", status: 408 },
    { kind: "html", status: 503 },
    { kind: "unreadable" },
    { kind: "truncate" },
    { kind: "respond", status: 409 },
    { kind: "status", status: 409 },
    { kind: "redirect", location: "/elsewhere" },
    { kind: "status", status: 501 },
    { kind: "respond", status: 200, body: "{}" },
    { kind: "respond", status: 200, body: "" },
  ];
  const orders: LoneOrder[] = [];
  // Only what was asked first may be meant by a rule, so all that is asked again waits behind a lasting failure.
  for (const rule of moments) {
    const order = await newOrder(bench);
    orders.push(order);
    const fault = bench.provider.fail({ ...rule, path });
    const closed = bench.provider.fail({ kind: "html", status: 502, path, times: "always" });
    const answer = await send(order);
    expect(fault.hits, JSON.stringify(rule)).toBe(1);
    expect(answer.status, JSON.stringify(rule)).toBe(202);
    expect(answer.json).toMatchObject({
      pending: true,
      credits: { success: false, creditsDeducted: 0, newBalance: 10, pending: true, held: 2 },
    });
    expect(answer.json.error).toMatch(/may have accepted this\. It will not be sent twice\.$/);
    expect(await look(order)).toMatchObject(HELD);
    closed.release();
  }
  for (const settled of await Promise.all(orders.map(settle))) {
    expect(settled.json.replayed).toBe(true);
    expect(settled.json.credits).toMatchObject({
      success: true,
      creditsDeducted: 2,
      newBalance: 8,
      replayed: true,
    });
  }
  for (const order of orders) {
    expect(await look(order)).toEqual(MAILED);
    const calls = await callsOf(bench, order);
    expect(calls.length).toBeGreaterThan(1);
    expect(new Set(calls.map(({ rawText, headers }) => headers["x-idempotency-key"] + rawText)).size).toBe(1);
  }
});

test("not known stays held for as long as the provider cannot tell", async () => {
  const order = await newOrder(bench);
  const down = bench.provider.fail({ kind: "html", status: 502, path, times: "always" });
  expect((await send(order)).status).toBe(202);
  await expect.poll(() => down.hits).toBeGreaterThan(2);
  expect(await look(order)).toMatchObject(HELD);
  expect((await send(order)).status).toBe(202);
  down.release();
  expect((await settle(order)).json.credits?.success).toBe(true);
});

test("a test is answered though it was live: nothing is charged, and it is said", async () => {
  const order = await newOrder(bench);
  bench.provider.fail({ kind: "answer-test", path });
  const answer = await send(order);
  expect(answer.json.credits).toMatchObject({ creditsDeducted: 0, newBalance: 10 });
  expect(answer.json.hint).toMatch(/as a test: nothing was mailed and nothing was charged/);
  expect(await look(order)).toEqual(REFUSED);
});

test.each([
  ["all of it", 10, 2, true],
  ["a part of it", 1, 1, false],
  ["nothing", 0, 0, false],
] as const)(
  "live is answered though it was a test, and there is %s to pay it",
  async (_what, credits, charged, success) => {
    const order = await newOrder(bench, { test: true }, credits);
    bench.provider.fail({ kind: "answer-live", path });
    const answer = await send(order);
    expect(answer.json.credits).toMatchObject({
      success,
      creditsDeducted: charged,
      newBalance: credits - charged,
    });
    if (!success) expect(answer.json.credits?.error).toMatch(/costs 2/);
    expect(await bench.loadAccount(order.payer)).toEqual({ balance: credits - charged, held: 0 });
    expect(await sendsOf(bench, order)).toMatchObject([{ state: "accepted", charged, cost: 2 }]);
  },
);

test("the same key and body: the first answer; another body: 422; while it runs: 409", async () => {
  const order = await newOrder(bench);
  const hold = bench.provider.fail({ kind: "hold", path });
  const running = send(order);
  await expect.poll(() => hold.hits).toBe(1);
  const meanwhile = await send(order);
  expect([meanwhile.status, meanwhile.json.error]).toEqual([
    409,
    expect.stringMatching(/being sent right now/),
  ]);
  hold.release();
  const { data, status, text } = (await running).json;
  const second = await send(order);
  expect(second.status).toBe(200);
  expect(second.json).toMatchObject({ replayed: true, data, status, text });
  expect(second.json.credits).toMatchObject({
    success: true,
    creditsDeducted: 2,
    newBalance: 8,
    replayed: true,
  });
  for (const change of [{ fields: { duplex: true } }, { type: "postcard" as const }, { payer: "auth-ana" }]) {
    const other = await send({ ...order, ...change });
    expect([other.status, other.json.error]).toEqual([422, expect.stringContaining(NOTHING_DONE)]);
  }
  expect(await look(order)).toEqual(MAILED);
});

test("the caller goes away: it goes on to the end", async () => {
  const order = await newOrder(bench);
  const hold = bench.provider.fail({ kind: "hold", path });
  const caller = new AbortController();
  const gone = askForMail(console.origin, order, caller.signal);
  await expect.poll(() => hold.hits).toBe(1);
  caller.abort();
  expect((await gone).status).toBeNull();
  hold.release();
  await expect.poll(() => look(order)).toEqual(MAILED);
});

test("20 h later it is looked up, not repeated; 24 h later released or, when nobody can tell, a person's", async () => {
  const [mailed, absent, unclear] = [await newOrder(bench), await newOrder(bench), await newOrder(bench)];
  const all = [mailed, absent, unclear];
  bench.provider.fail({ kind: "error-after", path });
  const down = bench.provider.fail({ kind: "html", status: 502, path, times: "always" });
  const list = { path: /^reporting\/list/, times: "always" } as const;
  const noList = bench.provider.fail({ kind: "status", status: 500, ...list });
  for (const order of all) expect((await send(order)).status).toBe(202);
  await makeOlder(bench, all, 21);
  await lookedUp(bench, all);
  expect(noList.hits).toBe(3);
  const before = (await Promise.all(all.map((order) => callsOf(bench, order)))).map((calls) => calls.length);
  down.release();
  expect(await Promise.all(all.map(look))).toMatchObject([HELD, HELD, HELD]);
  noList.release();

  await makeOlder(bench, [mailed, absent], 21);
  expect((await settle(mailed)).json.credits).toMatchObject({ success: true, newBalance: 8 });
  expect(await look(mailed)).toEqual(MAILED);
  await lookedUp(bench, [absent]);
  expect(await look(absent)).toMatchObject({ ...HELD, states: ["unknown"] });
  await makeOlder(bench, [absent], 24.1);
  expect((await settle(absent)).json.credits?.error).toMatch(/^Nothing was charged.*lists no piece/);
  expect(await look(absent)).toEqual(REFUSED);

  for (const rule of [
    { kind: "status", status: 500 },
    { kind: "respond", body: '{"success":true,"data":{"singles":[{"id":1,"tags":"other"}]}}' },
    { kind: "respond", body: '{"success":true}' },
    { kind: "respond", body: '{"success":false,"data":[]}' },
  ] as FaultRule[]) {
    const spoilt = bench.provider.fail({ ...rule, ...list });
    await makeOlder(bench, [unclear], 24.1);
    await lookedUp(bench, [unclear]);
    expect(spoilt.hits).toBe(1);
    expect(await look(unclear)).toMatchObject(HELD);
    spoilt.release();
  }
  bench.provider.fail({ kind: "status", status: 500, ...list, times: 1 });
  await makeOlder(bench, [unclear], 25.01);
  await expect.poll(async () => (await look(unclear)).states).toEqual(["needs_review"]);
  expect(await look(unclear)).toMatchObject(HELD);
  const asked = await send(unclear);
  expect([asked.status, asked.json.error]).toEqual([
    202,
    expect.stringMatching(/decide on the piece's page/),
  ]);
  const after = await Promise.all(all.map((order) => callsOf(bench, order)));
  expect(after.map((calls) => calls.length)).toEqual(before);
});
