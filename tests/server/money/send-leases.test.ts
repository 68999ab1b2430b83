import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { test } from "vitest";
import { layFlakyLink } from "../../support/database/flaky-link";
import { setUpPostgres } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { openBench } from "../../support/money/bench";
import { askForMail } from "../../support/money/calls";
import {
  CREATE_PATH,
  callsOf,
  type LoneOrder,
  lookAt,
  MAILED,
  newOrder,
  REFUSED,
  sendsOf,
} from "../../support/money/lone-sends";

/** A send belongs to one process for the duration of its lease. Each test has its own books. */
const postgres = await setUpPostgres();

test.concurrent.for([
  ["storing the hold", "INSERT", ""],
  ["starting the call", "UPDATE", "WHEN (OLD.attempts = 0 AND NEW.attempts = 1)"],
])(
  "a database that is slow at %s does not shorten the call's lease: never two calls at once with one key",
  async ([, event, when], { expect }) => {
    const own = await openBench({ postgres });
    await own.inBooks(async (db) => {
      await db.$executeRawUnsafe(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(5.6); RETURN NEW; END $$`);
      await db.$executeRawUnsafe(
        `CREATE TRIGGER dawdle BEFORE ${event} ON sends FOR EACH ROW ${when} EXECUTE FUNCTION dawdle()`,
      );
    });
    const [slow] = [await own.start({ RECONCILE_INTERVAL_MS: "0" }), await own.start()];
    const order = await newOrder(own);
    own.provider.fail({ kind: "slow", delayMs: 1_300, moment: "after", path: CREATE_PATH });
    await askForMail(slow.origin, order);
    await own.settle();
    expect(await own.audit()).toMatchObject(ALL_WELL);
    expect(await lookAt(own, order)).toEqual(expect.toBeOneOf([MAILED, REFUSED]));
    await own.close();
  },
);

test.concurrent("a process whose answer comes late does not undo or disturb the result of another one", async ({
  expect,
}) => {
  const provider = await startSlowProvider();
  // Separate books, because the pieces are not at the emulator.
  const own = await openBench({ postgres });
  const variables = { STANNP_BASE_URLS: `US=${provider.url}` };
  const stories = await Promise.all(
    [429, 500].map(async (status) => {
      const link = await layFlakyLink(own.databaseUrl);
      const late = await own.start({ ...variables, DATABASE_URL: link.url, RECONCILE_INTERVAL_MS: "0" });
      const order = await newOrder(own);
      expect((await askForMail(late.origin, { ...order, test: true })).status).toBe(200);
      return { status, link, late, order };
    }),
  );
  // Two consoles, because each waits for one round of recovery before it begins the next.
  await Promise.all([
    own.start({ ...variables, STANNP_TIMEOUT_MS: "8000" }),
    own.start({ ...variables, STANNP_TIMEOUT_MS: "8000" }),
  ]);
  await Promise.all(
    stories.map(({ status, link, late, order }) => {
      provider.expect(order.payer, async (call, response) => {
        if (call === 1) {
          // The first process cannot store this answer before its lease has expired.
          await link.cut();
          response.writeHead(status, { "X-RateLimit-Reset": "40" }).end("{}");
          return;
        }
        if (call === 2) await link.mend();
        await wait(3_000);
        response.end('{"success":true,"data":{"id":7,"status":"received"}}');
      });
      return askForMail(late.origin, { ...order, fields: { firstname: order.payer } });
    }),
  );
  await own.settle();
  const kept = await Promise.all(stories.map(({ order }) => sendsOf(own, order)));
  expect
    .soft(kept.flat().map(({ state, charged }) => [state, charged]))
    .toEqual(stories.map(() => ["accepted", 2]));
  expect.soft(provider.mostAtOnce).toEqual(new Map(stories.map(({ order }) => [order.payer, 1])));
  await own.close();
  for (const { link } of stories) await link.close();
  provider.close();
});

test.concurrent("a process that is paused makes no call after its lease expired, and its late answer charges nothing", async ({
  expect,
}) => {
  const own = await openBench({ postgres });
  // Long enough to pause it with both sends under way, on any machine; its lease is 5 s longer.
  const paused = await own.start({ RECONCILE_INTERVAL_MS: "0", STANNP_TIMEOUT_MS: "16000" });
  const [between, during] = [await newOrder(own, { type: "postcard" }), await newOrder(own)];
  // One send is paused while it waits to retry, the other one while the provider answers it.
  const late = own.provider.fail({ kind: "hold", moment: "after", path: "letters/create" });
  const second = askForMail(paused.origin, during);
  await expect.poll(() => late.hits, { interval: 10 }).toBe(1);
  const limited = own.provider.fail({ kind: "rate-limit", resetSeconds: 6, path: "postcards/create" });
  const first = askForMail(paused.origin, between);
  await expect.poll(() => limited.hits, { interval: 10 }).toBe(1);
  // It starts to wait only after reading the answer.
  await expect.poll(() => paused.output.join(), { interval: 10 }).toContain('"providerStatus":429');
  process.kill(paused.pid, "SIGSTOP");
  const taken = own.provider.fail({ kind: "hold", path: "postcards/create" });
  await own.start({ STANNP_TIMEOUT_MS: "60000" });
  await expect.poll(() => taken.hits).toBe(1);
  await expect.poll(async () => (await lookAt(own, during)).states).toEqual(["accepted"]);
  process.kill(paused.pid, "SIGCONT");
  late.release();
  expect.soft((await first).status).toBe(202);
  expect.soft(taken.hits).toBe(1);
  expect.soft((await second).json.credits).toMatchObject({ success: true, creditsDeducted: 2 });
  taken.release();
  await own.settle();
  const calls = async (order: LoneOrder) =>
    (await callsOf(own, order)).map(({ answeredStatus }) => answeredStatus);
  expect.soft(await calls(between)).toEqual([429, 200]);
  expect.soft(await lookAt(own, between)).toEqual({ ...MAILED, balance: 9, debits: [1] });
  expect.soft(await lookAt(own, during)).toEqual(MAILED);
  const overlaps = (await sendsOf(own, during)).map(({ id }) => id);
  // The call under way could not be taken back; the provider knows its key.
  expect.soft(await own.audit()).toMatchObject({ ...ALL_WELL, overlaps });
  await own.close();
});

type Story = (call: number, response: ServerResponse) => Promise<void>;

/** A provider that answers each send by its story; the send's name is its body's `firstname`. */
async function startSlowProvider() {
  const stories = new Map<string, { story: Story; calls: number; atOnce: number }>();
  const mostAtOnce = new Map<string, number>();
  const server: Server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { firstname } = JSON.parse(text);
    const found = stories.get(firstname);
    if (!found) {
      response.end('{"success":true,"data":{"id":0,"status":"test"}}');
      return;
    }
    found.calls += 1;
    found.atOnce += 1;
    mostAtOnce.set(firstname, Math.max(found.atOnce, mostAtOnce.get(firstname) ?? 0));
    response.once("close", () => {
      found.atOnce -= 1;
    });
    await found.story(found.calls, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    mostAtOnce,
    expect: (name: string, story: Story) => stories.set(name, { story, calls: 0, atOnce: 0 }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
