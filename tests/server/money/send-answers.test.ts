import { afterEach, expect, test } from "vitest";
import type { FaultHandle } from "../../emulators/mail-provider/faults/fault-desk";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import { SESSION_SECRET } from "../../support/console/console-process";
import { setUpBench, setUpMailConsole } from "../../support/fixtures";
import { ALL_WELL } from "../../support/money/audit";
import { askForMail, type MailRequest } from "../../support/money/calls";
import {
  CREATE_PATH,
  callsOf,
  HELD,
  type LoneOrder,
  type Look,
  ledgerOf,
  lookAt,
  MAILED,
  makeOlder,
  NOTHING_DONE,
  newOrder,
  REFUSED,
  sendsOf,
  UNTOUCHED,
} from "../../support/money/lone-sends";

/** Provider answers to a live send, to its repeats and to a query of its list. Recovery runs when a test calls it. */
const LIST = "reporting/list/.*";
const HOUR = 3_600;

const bench = await setUpBench();
/** Fault rules that apply to every call until the end of a test. */
const standing: FaultHandle[] = [];

const variables = {
  SESSION_SECRET,
  STANNP_BASE_URLS: `US=${bench.provider.baseUrl}`,
  STANNP_TIMEOUT_MS: "3000",
};
const app = await setUpMailConsole(bench.databaseUrl, { variables });
afterEach(async () => {
  for (const rule of standing.splice(0)) rule.release();
  bench.provider.behave({ resetHeader: "seconds" });
  await bench.sql`UPDATE sends SET lease_until = now() WHERE lease_until IS NOT NULL`;
  await app.recoverSends();
  expect(await bench.audit()).toMatchObject(ALL_WELL);
});
const send = (order: MailRequest) => askForMail(app.origin, order);
const look = (order: LoneOrder) => lookAt(bench, order);
const fail = (rule: FaultRule, path = CREATE_PATH) => bench.provider.fail({ ...rule, path });

function failAlways(rule: FaultRule, path = CREATE_PATH): FaultHandle {
  const handle = fail({ ...rule, times: "always" }, path);
  standing.push(handle);
  return handle;
}
/** One round of recovery, `seconds` after the order was sent. */
async function recover(order: LoneOrder, seconds = 0): Promise<void> {
  await makeOlder(bench, [order], seconds / HOUR);
  // A claim skips a row that is locked, as it is while the response of its send is being stored.
  await expect.poll(app.recoverSends).toBeGreaterThan(0);
}

test.each<[what: string, status: number, changes: Partial<MailRequest>]>([
  ["an invalid path", 400, { envelope: { path: "../letters/create" } }],
  ["an invalid key", 400, { key: "short" }],
  ["an invalid body", 400, { envelope: { body: "not an object" } }],
  ["a NUL", 400, { fields: { pages: "a\u0000b" } }],
  ["another host", 403, { envelope: { baseUrl: "https://example.com/v1" } }],
  ["no recipient", 400, { fields: { recipient: undefined } }],
  ["no content", 400, { fields: { pages: "" } }],
  ["an empty request", 400, { fields: { recipient: undefined, pages: undefined, template: undefined } }],
  ["an unknown payer", 404, { envelope: { user_id: "missing" } }],
])("refused before anything is stored: %s is a %d", async (_what, status, changes) => {
  const order = await newOrder(bench, changes);
  const before = bench.provider.received.length;
  const answer = await send(order);
  expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(NOTHING_DONE)]);
  expect(await look(order)).toEqual(UNTOUCHED);
  expect(await bench.inBooks((db) => db.user.count({ where: { id: "missing" } }))).toBe(0);
  expect(bench.provider.received).toHaveLength(before);
});

interface End {
  status: number;
  credits: object;
  books: Partial<Look>;
  /** Why the credits were released. */
  cause: string | null;
}
const NOT_CHARGED = { success: false, creditsDeducted: 0, newBalance: 10 };
const CHARGED = { success: true, creditsDeducted: 2, newBalance: 8 };
/** The answer to the caller, the books and the cause. */
const ENDS = {
  accepted: { status: 200, credits: CHARGED, books: MAILED, cause: null },
  refused: { status: 200, credits: NOT_CHARGED, books: REFUSED, cause: "refused" },
  limited: { status: 200, credits: NOT_CHARGED, books: REFUSED, cause: "rate_limited" },
  sample: { status: 200, credits: { creditsDeducted: 0, newBalance: 10 }, books: REFUSED, cause: "sample" },
  unknown: { status: 202, credits: { ...NOT_CHARGED, pending: true, held: 2 }, books: HELD, cause: null },
} satisfies Record<string, End>;
const OTHER_REQUEST = '{"success":false,"error":"This idempotency key was used with a different request"}';

// `unit/pieces/provider-outcome.test.ts` has every status.
const ANSWERS: [end: keyof typeof ENDS, rules: FaultRule[]][] = [
  ["accepted", [{ kind: "slow", delayMs: 0 }]],
  ["refused", [{ kind: "status", status: 400 }, { kind: "status", status: 402 }, { kind: "refuse200" }]],
  ["limited", [{ kind: "rate-limit", resetSeconds: 40 }]],
  ["sample", [{ kind: "answer-test" }]],
  [
    "unknown",
    [
      { kind: "timeout", moment: "after" },
      { kind: "reset-before" },
      { kind: "reset-after" },
      { kind: "error-after" },
      { kind: "html", status: 503 },
      { kind: "unreadable" },
      { kind: "truncate" },
      { kind: "respond", status: 409 },
      { kind: "respond", status: 422, body: OTHER_REQUEST },
      { kind: "redirect", location: "/elsewhere" },
      { kind: "respond", status: 200, body: "{}" },
    ],
  ],
];

test.each(ANSWERS.flatMap(([end, rules]) => rules.map((rule) => [end, rule] as const)))(
  "%s after %j: the answer, the books, and a repeat of the key",
  async (end, rule) => {
    const order = await newOrder(bench);
    const fault = fail(rule);
    const answer = await send(order);
    expect(fault.hits).toBe(1);
    const { status, credits, books, cause }: End = ENDS[end];
    expect(answer).toMatchObject({ status, json: { credits } });
    expect(answer.json.pending).toBe(end === "unknown" ? true : undefined);
    if (end === "refused" || end === "limited") expect(answer.json.error).toBeTruthy();
    if (end === "limited") expect(answer.json.hint).toMatch(/40 s/);
    if (end === "sample") expect(answer.json.hint).toBeTruthy();
    expect(await look(order)).toMatchObject(books);
    expect((await sendsOf(bench, order))[0]?.releaseCause).toBe(cause);
    if (end === "unknown") {
      // It stays held until the provider can answer.
      const down = failAlways({ kind: "html", status: 502 });
      await recover(order);
      expect(await look(order)).toMatchObject(HELD);
      expect((await send(order)).status).toBe(202);
      down.release();
      await recover(order);
    }
    const last: End = end === "unknown" ? ENDS.accepted : ENDS[end];
    const repeat = { replayed: true, send_id: answer.json.send_id, credits: last.credits };
    expect(await send(order)).toMatchObject({ status: 200, json: repeat });
    expect(await look(order)).toEqual(last.books);
    const calls = await callsOf(bench, order);
    // On a slow machine a call may be due again before its round of recovery ends.
    if (end === "unknown") expect(calls.length).toBeGreaterThanOrEqual(3);
    else expect(calls).toHaveLength(1);
    expect(new Set(calls.map(({ rawText, headers }) => headers["x-idempotency-key"] + rawText)).size).toBe(1);
  },
);

const respond = (body: string): FaultRule => ({ kind: "respond", body });
/** The provider's list. SEND is the send's tag. */
const listOf = (...pieces: object[]) => respond(JSON.stringify({ success: true, data: { singles: pieces } }));
const RULES: Record<string, FaultRule> = {
  content: { kind: "refuse200" },
  funds: { kind: "status", status: 402 },
  down: { kind: "html", status: 502 },
  broken: { kind: "status", status: 500 },
  empty: listOf(),
  sample: listOf({ id: "471100", status: "test", tags: "SEND" }),
  sampleId: listOf({ id: 0, status: "received", tags: "SEND" }),
  other: listOf({ id: 1, tags: "other" }),
  noList: respond('{"success":true}'),
  failedList: respond('{"success":false,"data":[]}'),
};

/**
 * A send whose first call was not answered: its title, `mailed` or `lost`, and rounds of recovery. Each round has
 * the hours or seconds since it was sent, the answer to its repeat, the state afterwards, and the answer in place
 * of the provider's list.
 */
const STORIES = `
refused for its content, the list may be late | lost | 0s content unknown | 60s content unknown | 60s content refused
refused for lack of funds, the list lacks it for 2 min | lost | 0s funds unknown | 130s funds refused
refused although it was mailed, the list is late | mailed | 0s funds unknown empty | 130s funds accepted
refused although it was mailed, the list is down | mailed | 0s funds unknown down | 0s content accepted
listed as a test by its status | lost | 5s funds refused sample
listed as a test by its id | lost | 5s funds refused sampleId
listed as a test, too late for a repeat | lost | 21h funds refused sample
mailed, too late for a repeat | mailed | 21h content unknown broken | 21h content accepted
not mailed, too late for a repeat | lost | 21h content unknown | 24.1h content refused
the list proves nothing | lost | 24.1h funds unknown broken | 24.1h funds unknown other | 24.1h funds unknown noList | 24.1h funds unknown failedList | 25.01h funds needs_review broken`
  .trim()
  .split("\n")
  .map((line) => {
    const [what = "", fate = "", ...rounds] = line.split(" | ");
    return [what, fate === "mailed", rounds.map((round) => round.split(" "))] as const;
  });

test.each(STORIES)("unknown, then %s", async (_what, isMailed, rounds) => {
  const order = await newOrder(bench);
  fail({ kind: isMailed ? "reset-after" : "reset-before" });
  const { status, json } = await send(order);
  expect(status).toBe(202);
  let last = "";
  for (const [time = "", answer = "", state = "", list] of rounds) {
    const before = (await callsOf(bench, order)).length;
    const repeated = failAlways(RULES[answer] as FaultRule);
    const spoilt = JSON.stringify(RULES[list ?? ""] ?? null).replace("SEND", `mailroom-${json.send_id}`);
    const listed = list ? failAlways(JSON.parse(spoilt), LIST) : null;
    const isLate = time.endsWith("h");
    await recover(order, Number.parseFloat(time) * (isLate ? HOUR : 1));
    repeated.release();
    listed?.release();
    if (listed) expect(listed.hits).toBeGreaterThan(0);
    // The provider remembers a key for a day.
    expect((await callsOf(bench, order)).length > before).toBe(!isLate);
    expect((await look(order)).states).toEqual([state]);
    if (state === "unknown") expect(await look(order)).toMatchObject({ ...HELD, pieces: isMailed ? 1 : 0 });
    last = state;
  }
  const ending = { accepted: ENDS.accepted, refused: ENDS.refused, needs_review: ENDS.unknown }[last] as End;
  expect(await look(order)).toMatchObject(ending.books);
  const { creditsDeducted } = ending.credits as typeof CHARGED;
  expect(await send(order)).toMatchObject({ status: ending.status, json: { credits: { creditsDeducted } } });
});

test("not enough credits: 402 with the shortfall and a link to buy, and the key stays free", async () => {
  const order = await newOrder(bench, {}, 1);
  const before = bench.provider.received.length;
  const short = await send(order);
  const json = { balance: 1, cost: 2, shortfall: 1, credits: { success: false } };
  expect(short).toMatchObject({ status: 402, json });
  expect(short.json.buy_url).toContain(order.payer);
  expect(bench.provider.received).toHaveLength(before);
  expect(await look(order)).toEqual({ ...UNTOUCHED, balance: 1 });
  await bench.grant(order.payer, 9);
  const paid = await send(order);
  expect([paid.status, paid.json.replayed]).toEqual([200, undefined]);
  expect(await look(order)).toEqual(MAILED);
});

test("a key in use: 409 while it runs, the first answer later, 422 for another body; held credits stay held", async () => {
  const order = await newOrder(bench, {}, 3);
  const hold = fail({ kind: "hold" });
  const running = send(order);
  await expect.poll(() => hold.hits).toBe(1);
  expect((await send(order)).status).toBe(409);
  const short = await send({ ...order, key: `${order.key}-b` });
  expect(short).toMatchObject({ status: 402, json: { balance: 3, cost: 2, shortfall: 1 } });
  hold.release();
  const { data, status, text } = (await running).json;
  expect(await send(order)).toMatchObject({
    status: 200,
    json: {
      replayed: true,
      data,
      status,
      text,
      credits: { creditsDeducted: 2, newBalance: 1, replayed: true },
    },
  });
  for (const change of [{ fields: { duplex: true } }, { type: "postcard" as const }, { payer: "auth-ana" }]) {
    const other = await send({ ...order, ...change });
    expect([other.status, other.json.error]).toEqual([422, expect.stringContaining(NOTHING_DONE)]);
  }
  expect(await look(order)).toEqual({ ...MAILED, balance: 1 });
});

test("accepted: our key and tag, separate from the caller's, and the entry in the ledger", async () => {
  const first = await newOrder(bench);
  const { send_id: firstId } = (await send(first)).json;
  // A caller's copies of our tags and keys do not replace ours.
  const fields = { "tags[0]": `mailroom-${firstId}`, "tags[1]": "spring", "idempotency_key[x]": firstId };
  const order = await newOrder(bench, { fields });
  fail({ kind: "reset-after" });
  expect((await send(order)).status).toBe(202);
  await recover(order);
  const { data, credits } = (await send(order)).json;
  expect(credits).toMatchObject({ mailType: "letter", userId: order.payer, error: null });
  const [kept] = await sendsOf(bench, order);
  expect(kept).toMatchObject({
    state: "accepted",
    charged: 2,
    providerId: String((data as { id: number }).id),
  });
  const [call] = await callsOf(bench, order);
  expect(call?.body).toMatchObject({ idempotency_key: kept?.id, tags: `mailroom-${kept?.id},spring` });
  expect(await ledgerOf(bench, order)).toMatchObject([
    { amount: 2, transactionType: "debit", cause: "send", causeKey: kept?.id, actorId: "auth-ana" },
  ]);
  expect([await look(first), await look(order)]).toEqual([MAILED, MAILED]);
});

test("429 with a short wait is retried within the call; without a wait it is not retried", async () => {
  const order = await newOrder(bench);
  fail({ kind: "rate-limit", resetSeconds: 1 });
  expect((await send(order)).json.credits).toMatchObject(CHARGED);
  expect(await look(order)).toEqual(MAILED);
  const calls = await callsOf(bench, order);
  expect(calls).toHaveLength(2);
  expect(new Set(calls.map(({ rawText }) => rawText)).size).toBe(1);
  const limit = failAlways({ kind: "rate-limit", resetSeconds: 0 });
  await send(await newOrder(bench));
  expect(limit.hits).toBeLessThan(5);
});

test("the same key after a used-up rate limit: refused until the wait is over, then sent once", async () => {
  const order = await newOrder(bench);
  fail({ kind: "rate-limit", resetSeconds: 40 });
  await send(order);
  await bench.sql`
    UPDATE sends SET settled_at = settled_at - interval '41 seconds' WHERE user_id = ${order.payer}`;
  expect((await send({ ...order, fields: { duplex: true } })).status).toBe(422);
  const again = await Promise.all([send(order), send(order), send(order)]);
  const mailed = again.filter(({ json }) => json.credits?.success && !json.replayed);
  expect(mailed).toHaveLength(1);
  expect(await look(order)).toEqual({ ...MAILED, states: ["refused", "accepted"] });
  expect((await send(order)).json).toMatchObject({ replayed: true, send_id: mailed[0]?.json.send_id });
});

test.each(["epoch-seconds", "epoch-ms", "negative", "absent"] as const)(
  "a rate limit that ends in %s never holds a piece for longer than five minutes",
  async (resetHeader) => {
    const order = await newOrder(bench);
    fail({ kind: "reset-after" });
    expect((await send(order)).status).toBe(202);
    bench.provider.behave({ resetHeader });
    const limit = failAlways({ kind: "rate-limit", resetSeconds: 46 });
    await recover(order);
    expect(limit.hits).toBeGreaterThan(0);
    const lease = (await sendsOf(bench, order))[0]?.leaseUntil?.getTime() ?? 0;
    expect(lease).toBeGreaterThan(Date.now());
    expect(lease).toBeLessThan(Date.now() + 300_000);
    limit.release();
    await recover(order);
    expect(await look(order)).toEqual(MAILED);
  },
);

test("a lease that would end in years is ignored", async () => {
  const order = await newOrder(bench);
  fail({ kind: "html", status: 502 });
  expect((await send(order)).status).toBe(202);
  await bench.sql`
    UPDATE sends SET lease_until = '2083-01-01', attempts = attempts + 100 WHERE user_id = ${order.payer}`;
  await app.recoverSends();
  expect(await look(order)).toEqual(MAILED);
});

test.each([
  ["all of it", 10, 2],
  ["a part of it", 1, 1],
  ["nothing", 0, 0],
])(
  "the provider answers a test with live mail, and there is %s to pay it",
  async (_what, credits, charged) => {
    const order = await newOrder(bench, { test: true }, credits);
    fail({ kind: "answer-live" });
    const answer = (await send(order)).json;
    const balance = credits - charged;
    expect(answer.credits).toMatchObject({
      success: charged === 2,
      creditsDeducted: charged,
      newBalance: balance,
    });
    expect(await bench.loadAccount(order.payer)).toEqual({ balance, held: 0 });
    expect(await sendsOf(bench, order)).toMatchObject([{ state: "accepted", charged, cost: 2 }]);
  },
);

test("a test that is answered with a piece of ours charges nothing a second time", async () => {
  const order = await newOrder(bench);
  const { id } = (await send(order)).json.data as { id: number };
  for (const status of [409, 200]) {
    const body = JSON.stringify({ success: true, data: { id, status: "received" } });
    fail({ kind: "respond", status, body });
    const answer = await send({ ...order, key: `${order.key}-${status}`, test: true });
    expect(answer.json.credits).toBeNull();
    expect(answer.json.hint).toContain(String(id));
  }
  expect(await look(order)).toEqual(MAILED);
});

test("the caller disconnects: the send completes", async () => {
  const order = await newOrder(bench);
  const hold = fail({ kind: "hold" });
  const caller = new AbortController();
  const gone = askForMail(app.origin, order, caller.signal);
  await expect.poll(() => hold.hits).toBe(1);
  caller.abort();
  expect((await gone).status).toBeNull();
  hold.release();
  await expect.poll(() => look(order)).toEqual(MAILED);
});

/** Sends an order that was mailed, and holds the query of the list that follows the refusal of its repeat. */
async function holdList(order: LoneOrder) {
  fail({ kind: "reset-after" });
  const { json } = await send(order);
  failAlways({ kind: "status", status: 402 });
  const list = fail({ kind: "hold" }, LIST);
  const recovery = recover(order);
  await expect.poll(() => list.hits).toBe(1);
  const end = async () => {
    list.release();
    await recovery;
  };
  return { id: json.send_id ?? "", end };
}

test("found in the list after its hold was released: an alarm", async () => {
  const order = await newOrder(bench);
  const { id, end } = await holdList(order);
  /** Rewrites the send as if it had been settled in between. */
  const rewrite = (state: string, held: number) =>
    bench.inBooks((db) =>
      db.$transaction([
        db.send.update({ where: { id }, data: { state, leaseUntil: new Date() } }),
        db.creditAccount.update({ where: { userId: order.payer }, data: { held } }),
      ]),
    );
  await rewrite("refused", 0);
  await end();
  const alarms = await bench.inBooks((db) => db.alarm.findMany({ where: { subjectId: id } }));
  expect(alarms).toMatchObject([{ kind: "mailed_after_release", closedAt: null }]);
  await rewrite("unknown", 2);
});

test("found in the list as cancelled: charged and refunded together, or not at all", async () => {
  const order = await newOrder(bench);
  await bench.inBooks(async (db) => {
    await db.$executeRaw`
      CREATE FUNCTION refuse_cancelled() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'not now'; END $$`;
    await db.$executeRaw`
      CREATE TRIGGER refuse_cancelled BEFORE UPDATE ON sends FOR EACH ROW WHEN (NEW.state = 'cancelled')
        EXECUTE FUNCTION refuse_cancelled()`;
  });
  const { id, end } = await holdList(order);
  const piece = bench.provider.pieces.find(({ tags }) => tags === `mailroom-${id}`);
  bench.provider.move(piece?.id ?? 0, "cancelled");
  await end();
  expect(await look(order)).toMatchObject({ ...HELD, states: ["unknown"] });
  await bench.sql`DROP TRIGGER refuse_cancelled ON sends`;
  await recover(order);
  expect(await look(order)).toMatchObject({ balance: 10, held: 0, states: ["cancelled"] });
  const entries = (await ledgerOf(bench, order)).map(({ cause, amount }) => [cause, amount]);
  expect(entries).toEqual([
    ["send", 2],
    ["refund", 2],
  ]);
});
