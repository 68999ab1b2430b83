import { afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { setUpBench } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { PROVIDER_KEY } from "../../support/money/bench";
import { askForMail, askUntilSettled } from "../../support/money/calls";
import {
  CREATE_PATH,
  HELD,
  type LoneOrder,
  lookAt,
  MAILED,
  makeOlder,
  newOrder,
  REFUSED,
  sendsOf,
} from "../../support/money/lone-sends";

/** The provider key is changed while the outcome of a send is unknown. The second key belongs to another account. */
const OTHER_KEY = "emulator-key-0000000000000002";
const path = CREATE_PATH;

const bench = await setUpBench({ provider: { otherAccounts: [{ apiKey: OTHER_KEY }] } });
let before: ConsoleProcess;
let running: ConsoleProcess | null = null;

beforeAll(async () => {
  before = await bench.start({ RECONCILE_INTERVAL_MS: "0" });
});
afterEach(async () => {
  await running?.stop("SIGKILL");
  running = null;
  bench.provider.behave({ idempotency: "request" });
  expect(await bench.audit()).toMatchObject({
    ...ALL_WELL,
    strays: expect.anything(),
    open: expect.anything(),
  });
});
const start = async (variables: Record<string, string>) => {
  running = await bench.start(variables);
  return running;
};

/** Sends with the first key, with an unknown outcome. */
async function sendUnknown(how: "reset-before" | "reset-after"): Promise<LoneOrder> {
  const order = await newOrder(bench);
  bench.provider.fail({ kind: how, path });
  expect((await askForMail(before.origin, order)).status).toBe(202);
  return order;
}

/** Waits without an attempt at recovery for longer than a new version of the console needs to start. */
const leaveAlone = (order: LoneOrder) =>
  bench.sql`UPDATE sends SET lease_until = now() - interval '16 minutes' WHERE user_id = ${order.payer}`;
const makeDue = (order: LoneOrder) =>
  bench.sql`UPDATE sends SET lease_until = now() WHERE user_id = ${order.payer}`;
const alarmsOf = async (order: LoneOrder) => {
  const [send] = await sendsOf(bench, order);
  return bench.inBooks((db) => db.alarm.findMany({ where: { subjectId: send?.id ?? "" } }));
};
const callsWith = (key: string) =>
  bench.provider.received.filter(
    ({ headers, path: called }) =>
      headers.authorization === `Basic ${Buffer.from(`${key}:`).toString("base64")}` &&
      /create$/.test(called),
  );

test("another key never repeats a call and proves nothing by an empty list: a person decides", async () => {
  bench.provider.behave({ idempotency: "key" });
  const order = await sendUnknown("reset-after");
  await makeDue(order);
  await start({ STANNP_API_KEY: OTHER_KEY });
  const other = await newOrder(bench);
  expect((await askForMail(running?.origin ?? "", other)).status).toBe(200);
  const sent = callsWith(OTHER_KEY).length;
  expect((await lookAt(bench, order)).states).toEqual(["unknown"]);
  await leaveAlone(order);
  const look = () => lookAt(bench, order);
  await expect.poll(async () => (await look()).states).toEqual(["needs_review"]);
  expect(await look()).toMatchObject({ ...HELD, pieces: 1 });
  expect(callsWith(OTHER_KEY)).toHaveLength(sent);
  expect(await alarmsOf(order)).toMatchObject([{ kind: "piece_needs_decision", closedAt: null }]);
});

test("with the earlier key named as retired, the call is repeated with it, and neither key is exposed", async () => {
  const [mailed, lost] = [await sendUnknown("reset-after"), await sendUnknown("reset-before")];
  for (const order of [mailed, lost]) await makeDue(order);
  await start({ STANNP_API_KEY: OTHER_KEY, STANNP_RETIRED_API_KEYS: PROVIDER_KEY });
  for (const order of [mailed, lost]) {
    expect((await askUntilSettled(running?.origin ?? "", order)).json.credits?.success).toBe(true);
    expect(await lookAt(bench, order)).toEqual(MAILED);
  }
  const accounts = bench.provider.pieces.filter(({ test }) => !test).map(({ accountId }) => accountId);
  expect(new Set(accounts.slice(0, -1))).toContain("4817");
  for (const key of [OTHER_KEY, PROVIDER_KEY]) {
    const body = JSON.stringify({ success: true, data: `your key is ${key}` });
    bench.provider.fail({ kind: "respond", path: "users/me", body });
    const probe = { envelope: { path: "users/me", method: "GET", body: undefined } } as const;
    const { json } = await askForMail(running?.origin ?? "", { type: "letter", ...probe });
    expect(json.text).toContain("[hidden]");
    expect(JSON.stringify(json)).not.toContain(key);
  }
});

test("on a later day it is searched in the list of its own account", async () => {
  const [mailed, lost] = [await sendUnknown("reset-after"), await sendUnknown("reset-before")];
  await makeOlder(bench, [mailed, lost], 24.1);
  await start({ STANNP_API_KEY: OTHER_KEY, STANNP_RETIRED_API_KEYS: `unused-key,${PROVIDER_KEY}` });
  await askUntilSettled(running?.origin ?? "", mailed);
  await askUntilSettled(running?.origin ?? "", lost);
  expect(await lookAt(bench, mailed)).toEqual(MAILED);
  expect(await lookAt(bench, lost)).toEqual(REFUSED);
});
