import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startMailProvider } from "../../emulators/mail-provider";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench, PROVIDER_KEY } from "../../support/money/bench";
import { askForMail, askUntilSettled, cookieOf, type MailRequest } from "../../support/money/calls";
import {
  CREATE_PATH,
  callsOf,
  HELD,
  type LoneOrder,
  lookAt,
  MAILED,
  makeOlder,
  NOTHING_DONE,
  newOrder,
  REFUSED,
  sendsOf,
  UNTOUCHED,
} from "../../support/money/lone-sends";

/** What recovery may do is bounded: by waits, by a person, by time, and by what else is to be done. */
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
  bench.provider.behave({ hangs: false, resetHeader: "seconds", listDelayMs: 0 });
  await bench.settle();
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
});

const send = (order: MailRequest) => askForMail(console.origin, order);
const look = (order: LoneOrder) => lookAt(bench, order);
const leaseOf = async (order: LoneOrder) => (await sendsOf(bench, order))[0]?.leaseUntil?.getTime() ?? 0;

test.each(["epoch-seconds", "epoch-ms", "negative", "absent"] as const)(
  "a rate limit that ends in %s never holds a piece for longer than five minutes",
  async (resetHeader) => {
    const order = await newOrder(bench);
    const down = bench.provider.fail({ kind: "reset-after", path });
    bench.provider.behave({ resetHeader });
    const limit = bench.provider.fail({ kind: "rate-limit", resetSeconds: 46, path, times: "always" });
    expect((await send(order)).status).toBe(202);
    await expect.poll(() => limit.hits).toBeGreaterThan(0);
    await expect.poll(() => leaseOf(order)).toBeGreaterThan(Date.now() + 10_000);
    expect(await leaseOf(order)).toBeLessThan(Date.now() + 300_000);
    expect(down.hits).toBe(1);
    limit.release();
    await makeOlder(bench, [order], 0);
    await restart();
    await askUntilSettled(console.origin, order);
    expect(await look(order)).toEqual(MAILED);
  },
);

/** What a process knows of a base URL's rate limit ends with it. */
async function restart(): Promise<void> {
  await console.stop("SIGKILL");
  console = await bench.start();
}

test("a lease that would end in years is none", async () => {
  const order = await newOrder(bench);
  const down = bench.provider.fail({ kind: "html", status: 502, path, times: "always" });
  expect((await send(order)).status).toBe(202);
  await bench.inBooks(
    (db) => db.$executeRaw`
      UPDATE sends SET lease_until = '2083-01-01', attempts = attempts + 100 WHERE user_id = ${order.payer}`,
  );
  down.release();
  await askUntilSettled(console.origin, order);
  expect(await look(order)).toEqual(MAILED);
});

test("the same key after a used-up rate limit: refused until the wait is over, then sent once", async () => {
  const order = await newOrder(bench);
  bench.provider.fail({ kind: "rate-limit", resetSeconds: 40, path });
  const first = await send(order);
  expect(first.json.credits).toMatchObject({ success: false, creditsDeducted: 0 });
  expect((await send(order)).json).toMatchObject({ replayed: true, send_id: first.json.send_id });
  await bench.inBooks(
    (db) => db.$executeRaw`
      UPDATE sends SET settled_at = settled_at - interval '41 seconds' WHERE user_id = ${order.payer}`,
  );
  expect((await send({ ...order, fields: { duplex: true } })).status).toBe(422);
  const again = await Promise.all([send(order), send(order), send(order)]);
  const mailed = again.filter(({ json }) => json.credits?.success && !json.replayed);
  expect(mailed).toHaveLength(1);
  expect(await look(order)).toEqual({ ...MAILED, states: ["refused", "accepted"] });
  expect((await send(order)).json).toMatchObject({ replayed: true, send_id: mailed[0]?.json.send_id });
});

test.each([
  ["no recipient", { recipient: undefined }],
  ["no content", { pages: "" }],
  ["nothing at all", { recipient: undefined, pages: undefined, template: undefined }],
])("live mail with %s is refused before anything is booked", async (_what, fields) => {
  const order = await newOrder(bench, { fields });
  const before = bench.provider.received.length;
  const answer = await send(order);
  expect([answer.status, answer.json.error]).toEqual([400, expect.stringContaining(NOTHING_DONE)]);
  expect(await look(order)).toEqual(UNTOUCHED);
  expect(bench.provider.received).toHaveLength(before);
});

test("a caller's tags[0], copied tags and keys do not stand in the way of ours", async () => {
  const first = await newOrder(bench);
  const { send_id: firstId } = (await send(first)).json;
  const fields = { "tags[0]": `mailroom-${firstId}`, "tags[1]": "spring", "idempotency_key[x]": firstId };
  const order = await newOrder(bench, { fields });
  bench.provider.fail({ kind: "reset-after", path });
  expect((await send(order)).status).toBe(202);
  await askUntilSettled(console.origin, order);
  const [kept] = await sendsOf(bench, order);
  const [call] = await callsOf(bench, order);
  expect(call?.body).toMatchObject({ idempotency_key: kept?.id, tags: `mailroom-${kept?.id},spring` });
  expect([await look(first), await look(order)]).toEqual([MAILED, MAILED]);
});

test("a provider that cuts tags does not show that a piece is not there", async () => {
  // A provider of its own: a cut tag in its list may be that of any later piece.
  const own = await openBench({ postgres });
  const { origin } = await own.start();
  const order = await newOrder(own);
  own.provider.behave({ tagCharsKept: 3 });
  own.provider.fail({ kind: "reset-after", path });
  const refused = own.provider.fail({ kind: "refuse200", path, times: "always" });
  expect((await askForMail(origin, order)).status).toBe(202);
  await makeOlder(own, [order], 40 / 3_600);
  const hits = refused.hits;
  await expect.poll(() => refused.hits).toBeGreaterThan(hits);
  await makeOlder(own, [order], 40 / 3_600);
  await expect.poll(() => refused.hits).toBeGreaterThan(hits + 1);
  expect(await lookAt(own, order)).toMatchObject({ ...HELD, states: ["unknown"], pieces: 1 });
  refused.release();
  await makeOlder(own, [order], 40 / 3_600);
  await askUntilSettled(origin, order);
  expect(await lookAt(own, order)).toEqual(MAILED);
  expect(await own.audit()).toMatchObject(ALL_WELL);
  await own.close();
});

/** As the form on the page of a piece does. */
async function giveUp(id: string): Promise<void> {
  await fetch(`${console.origin}/sends/${id}`, {
    method: "POST",
    headers: {
      Cookie: await cookieOf("ana"),
      Origin: console.origin,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ intent: "give-up" }),
    redirect: "manual",
  });
}

test("given up by a person: never sent again, and the credits come back once the list lacks it", async () => {
  const [lost, mailed] = [await newOrder(bench), await newOrder(bench)];
  const down = bench.provider.fail({ kind: "status", status: 503, path, times: "always" });
  const { send_id: lostId = "" } = (await send(lost)).json;
  down.release();
  bench.provider.fail({ kind: "reset-after", path });
  const blocked = bench.provider.fail({ kind: "status", status: 503, path, times: "always" });
  const { send_id: mailedId = "" } = (await send(mailed)).json;
  for (const id of [lostId, mailedId]) await giveUp(id);
  const sends = [...(await sendsOf(bench, lost)), ...(await sendsOf(bench, mailed))];
  expect(sends.map(({ givenUpBy }) => givenUpBy)).toEqual(["auth-ana", "auth-ana"]);
  const calls = blocked.hits;
  blocked.release();
  await makeOlder(bench, [lost, mailed], 0.1);
  await askUntilSettled(console.origin, mailed);
  expect(await look(mailed)).toEqual(MAILED);
  // The list is believed only a quarter of an hour after the last call.
  expect(await look(lost)).toMatchObject({ ...HELD, states: ["unknown"] });
  await makeOlder(bench, [lost], 0.3);
  await askUntilSettled(console.origin, lost);
  expect(await look(lost)).toEqual(REFUSED);
  expect(blocked.hits).toBe(calls);
  await giveUp(lostId);
  const kinds = await bench.inBooks((db) => db.pieceEvent.findMany({ where: { pieceId: lostId } }));
  expect(kinds.find(({ kind }) => kind === "giveUp")).toMatchObject({
    actorId: "auth-ana",
    source: "person",
  });
});

test("the files of a request are dropped once it cannot be repeated any more", async () => {
  const order = await newOrder(bench);
  await send(order);
  const bodyOf = async () => (await sendsOf(bench, order))[0]?.requestBody ?? "";
  await bench.inBooks(
    (db) => db.$executeRaw`
      UPDATE sends SET request_body = request_body || repeat('QUJD', 1000), created_at = now() - interval '26 hours'
      WHERE user_id = ${order.payer}`,
  );
  await expect.poll(bodyOf).toContain("[4,000 characters of a file]");
  expect((await send(order)).json).toMatchObject({ replayed: true });
});

test("an account that hangs delays nothing of another account", async () => {
  // Books of its own: they are not compared with one provider's pieces.
  const own = await openBench({ postgres });
  const healthy = await startMailProvider({ apiKey: PROVIDER_KEY });
  const bases = { STANNP_BASE_URLS: `US=${own.provider.baseUrl},Global=${healthy.baseUrl}` };
  const sender = await own.start({ ...bases, RECONCILE_INTERVAL_MS: "0" });
  const hanging: LoneOrder[] = [];
  // More than the tasks of both accounts take at once.
  for (let number = 0; number < 18; number++) hanging.push(await newOrder(own));
  own.provider.behave({ hangs: true });
  await Promise.all(hanging.map((order) => askForMail(sender.origin, order)));
  const elsewhere = await newOrder(own, { envelope: { baseUrl: healthy.baseUrl } });
  healthy.fail({ kind: "reset-before", path });
  expect((await askForMail(sender.origin, elsewhere)).status).toBe(202);
  await makeOlder(own, hanging, 0.1);
  // The last in line: whoever took pieces of any account would first take all of those that hang.
  await makeOlder(own, [elsewhere], 0.1);
  await own.start({ ...bases, STANNP_TIMEOUT_MS: "60000" });
  // Each call that hangs would take a minute.
  const states = async () => (await lookAt(own, elsewhere)).states;
  await expect.poll(states).toEqual(["accepted"]);
  await own.close();
  await healthy.close();
});
