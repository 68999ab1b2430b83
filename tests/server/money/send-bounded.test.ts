import { afterEach, beforeAll, expect, test } from "vitest";
import { startMailProvider } from "../../emulators/mail-provider";
import type { ConsoleProcess } from "../../support/console/console-process";
import { setUpBench, setUpPostgres } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { openBench, PROVIDER_KEY } from "../../support/money/bench";
import { askForMail, askUntilSettled, cookieOf, type MailRequest } from "../../support/money/calls";
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

/** Recovery is bounded by the content of the list, by a person, by time, and by other accounts. */
const path = CREATE_PATH;

const postgres = await setUpPostgres();
const bench = await setUpBench();
let console: ConsoleProcess;

beforeAll(async () => {
  console = await bench.start();
});
afterEach(async () => {
  await bench.settle();
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});
const send = (order: MailRequest) => askForMail(console.origin, order);
const look = (order: LoneOrder) => lookAt(bench, order);

test("a provider that cuts tags cannot prove that a piece is missing", async () => {
  // A separate provider, because a cut tag in its list could be that of any later piece.
  const own = await openBench({ postgres });
  const { origin } = await own.start();
  const order = await newOrder(own);
  own.provider.behave({ tagCharsKept: 3 });
  own.provider.fail({ kind: "reset-after", path });
  const refused = own.provider.fail({ kind: "refuse200", path, times: "always" });
  expect((await askForMail(origin, order)).status).toBe(202);
  await makeOlder(own, [order], 130 / 3_600);
  const hits = refused.hits;
  await expect.poll(() => refused.hits).toBeGreaterThan(hits);
  await makeOlder(own, [order], 130 / 3_600);
  await expect.poll(() => refused.hits).toBeGreaterThan(hits + 1);
  expect(await lookAt(own, order)).toMatchObject({ ...HELD, states: ["unknown"], pieces: 1 });
  refused.release();
  await makeOlder(own, [order], 130 / 3_600);
  await askUntilSettled(origin, order);
  expect(await lookAt(own, order)).toEqual(MAILED);
  expect(await own.audit()).toMatchObject(ALL_WELL);
  await own.close();
});

/** Gives a piece up as the form on its page does. */
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
  bench.provider.fail({ kind: "reset-after", path });
  const blocked = bench.provider.fail({ kind: "status", status: 503, path, times: "always" });
  const { send_id: mailedId = "" } = (await send(mailed)).json;
  const { send_id: lostId = "" } = (await send(lost)).json;
  for (const id of [lostId, mailedId]) await giveUp(id);
  const sends = [...(await sendsOf(bench, lost)), ...(await sendsOf(bench, mailed))];
  expect(sends.map(({ givenUpBy }) => givenUpBy)).toEqual(["auth-ana", "auth-ana"]);
  const calls = blocked.hits;
  blocked.release();
  await makeOlder(bench, [lost, mailed], 0.1);
  await askUntilSettled(console.origin, mailed);
  expect(await look(mailed)).toEqual(MAILED);
  // The list counts only a quarter of an hour after the last call.
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

test("the files of a request are dropped once it can no longer be repeated", async () => {
  const order = await newOrder(bench);
  await send(order);
  const bodyOf = async () => (await sendsOf(bench, order))[0]?.requestBody ?? "";
  await bench.sql`
    UPDATE sends SET request_body = request_body || repeat('QUJD', 1000), created_at = now() - interval '26 hours'
    WHERE user_id = ${order.payer}`;
  await expect.poll(bodyOf).toContain("[4,000 characters of a file]");
  expect((await send(order)).json).toMatchObject({ replayed: true });
});

test("an account that hangs does not delay another account", async () => {
  // Separate books, because they are not compared with one provider's pieces.
  const own = await openBench({ postgres });
  const healthy = await startMailProvider({ apiKey: PROVIDER_KEY });
  const bases = { STANNP_BASE_URLS: `US=${own.provider.baseUrl},Global=${healthy.baseUrl}` };
  const sender = await own.start({ ...bases, RECONCILE_INTERVAL_MS: "0" });
  const hanging: LoneOrder[] = [];
  // More sends than the tasks of both accounts claim at once.
  for (let number = 0; number < 18; number++) hanging.push(await newOrder(own));
  own.provider.behave({ hangs: true });
  await Promise.all(hanging.map((order) => askForMail(sender.origin, order)));
  const elsewhere = await newOrder(own, { envelope: { baseUrl: healthy.baseUrl } });
  healthy.fail({ kind: "reset-before", path });
  expect((await askForMail(sender.origin, elsewhere)).status).toBe(202);
  await makeOlder(own, hanging, 0.1);
  // The last in line: a process that claimed pieces of any account would first claim all that hang.
  await makeOlder(own, [elsewhere], 0.1);
  await own.start({ ...bases, STANNP_TIMEOUT_MS: "60000" });
  // Each hanging call would take a minute.
  const states = async () => (await lookAt(own, elsewhere)).states;
  await expect.poll(states).toEqual(["accepted"]);
  await own.close();
  await healthy.close();
});
