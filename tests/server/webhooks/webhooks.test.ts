import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BALANCE_THRESHOLDS } from "~/catalogue/prices";
import { EVENT_NAMES } from "~/webhooks/events";
import { startWebhookReceiver, type WebhookReceiver } from "../../emulators/webhook-receiver";
import { type MailConsole, RECIPIENT, startMailConsole } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { drainAll } from "../../support/drain";
import { setUpPostgres } from "../../support/fixtures";

/** Webhook events, verified by a receiver with the public library of the Standard Webhooks scheme. */

const PERSONAL = /Silva|Maria|Harbour|maria@example|97201|secret-list/;

const postgres = await setUpPostgres();
let app: MailConsole;
let receiver: WebhookReceiver;
let endpoint: { id: string; secret: string };

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver?.close());

async function open(databaseUrl: string, ENCRYPTION_SECRET = "") {
  const variables = { WEBHOOK_LOCAL_ORIGINS: receiver.origin, ENCRYPTION_SECRET };
  app = await startMailConsole(databaseUrl, { variables });
  await app.grant(ANA.id, 500);
}

/** Posts a form as the page does. */
async function post(id: string | null, fields: Record<string, string | string[]>) {
  const { handleNewEndpoint, handleEndpointPost } = await import("~/webhooks/webhooks-post.server");
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value);
  }
  return id === null ? handleNewEndpoint(form, ANA) : handleEndpointPost(id, form, ANA);
}

/** Starts with one endpoint and no data of earlier tests. */
async function startAnew(path = "/hooks") {
  await app.db((db) => db.$transaction([db.webhookEndpoint.deleteMany(), db.webhookMessage.deleteMany()]));
  await addEndpoint(path);
}

async function addEndpoint(path = "/hooks") {
  receiver.received.length = 0;
  receiver.answer((_, response) => response.writeHead(204).end());
  const made = await post(null, { intent: "create", url: `${receiver.origin}${path}`, event: EVENT_NAMES });
  if (!("secret" in made && made.secret)) throw new Error(JSON.stringify(made));
  endpoint = { id: made.secret.endpointId, secret: made.secret.text };
}

async function deliver(): Promise<number> {
  const { deliverWebhooks, replayWebhooks } = await import("~/webhooks/deliver.server");
  return drainAll([deliverWebhooks, replayWebhooks]);
}

/** Verified requests in order of arrival. */
function verified(secret = endpoint.secret) {
  return receiver.received.map(({ body, headers }) => {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    return event as { type: string; timestamp: string; data: Record<string, unknown> };
  });
}

const makeDue = () => app.sql`UPDATE webhook_deliveries SET next_at = now() WHERE state = 'waiting'`;
/**
 * Moves waiting deliveries into the future, so that even on a slow machine none is due before the test makes it
 * due.
 */
const putOff = () =>
  app.sql`UPDATE webhook_deliveries SET next_at = now() + interval '1 day' WHERE state = 'waiting'`;
/** Makes attempt number `attempt` of the first delivery; repeats it, because a database that pauses ends a round. */
const makeTry = (attempt: number) =>
  expect
    .poll(async () => {
      await makeDue();
      await deliver();
      return (await deliveries())[0]?.attempts;
    })
    .toBe(attempt);
const deliveries = () =>
  app.db((db) => db.webhookDelivery.findMany({ include: { tries: true }, orderBy: { id: "asc" } }));

describe("webhooks", () => {
  beforeAll(async () => open(await postgres.createDatabase()));
  beforeEach(() => startAnew());
  afterAll(() => app?.close());

  test("pieces and a list send signed events as described, without names", async () => {
    const { EVENT_BODIES } = await import("~/webhooks/event.schema.server");
    const { id, mailItemId } = await app.mail(ANA.id);
    app.provider.move(Number(mailItemId), "producing");
    await app.refreshStatus([id], ANA);
    const cancelled = await app.mail(ANA.id, "letter");
    await app.cancelSend(cancelled.id, ANA);
    app.provider.fail({ kind: "status", status: 400, path: "postcards/create", times: 1 });
    const body = { size: "4x6", template: "21001", recipient: { ...RECIPIENT, firstname: "Bo" } };
    await app.proxy({ path: "postcards/create", body, user_id: ANA.id });
    await app.db(async (db) => {
      await db.$executeRaw`
        INSERT INTO piece_events (piece_id, kind, actor_id, source) VALUES (${id}, 'askForReview', 'system', 'reconcile')`;
      const owner = { actorId: ANA.id, userId: ANA.id };
      const list = { id: "list-1", ...owner, name: "secret-list", mailType: "postcard" };
      await db.bulkList.deleteMany();
      await db.bulkList.create({ data: { ...list, design: "{}", state: "running" } });
      await db.bulkRow.create({ data: { listId: list.id, number: 2, cells: "[]", state: "sent" } });
      await db.bulkRow.create({ data: { listId: list.id, number: 3, cells: "[]", state: "left_out" } });
      const change = (data: { state: string; note?: string | null; endedAt?: Date }) =>
        db.bulkList.update({ where: { id: list.id }, data });
      await change({ state: "paused", note: null });
      await change({ state: "running" });
      await change({ state: "paused", note: "Out of funds" });
      await change({ state: "finished", note: null, endedAt: new Date() });
      await change({ state: "running" });
      await change({ state: "finished" });
      const { openAlarm } = await import("~/alarms/alarm-record.server");
      const alarm = { kind: "approval_needed", subject: { type: "list", id: list.id } } as const;
      await openAlarm(db, { ...alarm, text: "Maria Silva asks." });
      await openAlarm(db, { ...alarm, text: "Again." });
    });
    await deliver();

    const events = verified();
    const types = events.map(({ type }) => type).sort();
    const once = EVENT_NAMES.filter((type) => type !== "balance.low");
    expect(types).toEqual([...once, "piece.accepted"].sort());
    for (const event of events) {
      const described = EVENT_BODIES.find(({ type }) => type === event.type);
      expect(described?.schema.safeParse(event)).toMatchObject({ success: true });
      const example = described?.example as { data: object };
      expect(Object.keys(event.data).sort()).toEqual(Object.keys(example.data).sort());
      expect(JSON.stringify(event)).not.toMatch(PERSONAL);
    }
    const dataOf = (type: string, of = id) =>
      events.find((one) => one.type === type && one.data.id === of)?.data;
    expect(dataOf("piece.accepted")).toMatchObject({ state: "accepted", credits: 1, charged: 1 });
    expect(dataOf("piece.status")).toMatchObject({ status: "producing", user_id: ANA.id });
    const refunded = { state: "cancelled", credits: 2, charged: 0 };
    expect(dataOf("piece.cancelled", cancelled.id)).toMatchObject(refunded);
    expect(dataOf("batch.finished", "list-1")).toMatchObject({ state: "finished", sent: 1, not_sent: 1 });
    expect(dataOf("batch.paused", "list-1"), "not by a person").toMatchObject({ state: "paused", sent: 1 });
    const alarm = events.find(({ type }) => type === "alarm.opened");
    expect(alarm?.data).toMatchObject({ kind: "approval_needed", subject_id: "list-1" });
    expect(await app.findErrors()).toEqual([]);
  });

  test("a low balance is sent once at each threshold, and again only after credits were added", async () => {
    const user = "user-low";
    // The trigger has numbers of its own.
    const { comfortable, low: lowest } = BALANCE_THRESHOLDS;
    await app.grant(user, 51);
    const low = async () => {
      await deliver();
      return verified()
        .filter(({ type, data }) => type === "balance.low" && data.user_id === user)
        .map(({ data }) => [data.threshold, data.balance]);
    };
    await app.mail(user);
    expect(await low(), "50 is not low").toEqual([]);
    const { id } = await app.mail(user);
    expect(await low()).toEqual([[comfortable, 49]]);
    await app.cancelSend(id, ANA);
    await app.mail(user);
    expect(await low(), "a refund in between").toEqual([[comfortable, 49]]);
    const { postEntry } = await import("~/credits/ledger/ledger.server");
    const deduct = (amount: number, key: string) => {
      const cause = { actorId: "system", cause: "adjustment", causeKey: `${user} ${key}` } as const;
      const entry = { userId: user, type: "debit", amount, description: "for a test", ...cause } as const;
      return app.db((db) => postEntry(db, entry));
    };
    await deduct(44, "first");
    expect(await low()).toEqual([
      [comfortable, 49],
      [lowest, 5],
    ]);
    await app.grant(user, 95);
    await deduct(98, "second");
    expect((await low()).slice(2), "a fall below both is sent once").toEqual([[lowest, 2]]);
  });
});

describe("a receiver that", () => {
  beforeAll(async () => open(await postgres.createDatabase()));
  beforeEach(() => startAnew("/hooks?key=abc"));
  afterAll(() => app?.close());

  test("fails receives the event later, with the same id and out of order; its answer is stored, truncated", async () => {
    receiver.answer((_, response) => response.writeHead(500).end("x".repeat(100_000)));
    const first = await app.mail(ANA.id);
    await deliver();
    const [failed] = await deliveries();
    expect(failed).toMatchObject({ state: "waiting", attempts: 1, tries: [{ status: 500 }] });
    expect(failed?.tries[0]?.answerText).toHaveLength(4096);

    receiver.answer((_, response) => response.writeHead(200).end("ok"));
    await putOff();
    const second = await app.mail(ANA.id);
    await deliver();
    await makeDue();
    await deliver();
    const events = verified();
    expect(events.map(({ data }) => data.id)).toEqual([first.id, second.id, first.id]);
    expect(receiver.received[2]?.headers["webhook-id"]).toBe(receiver.received[0]?.headers["webhook-id"]);
    expect(String(events[2]?.timestamp) < String(events[1]?.timestamp)).toBe(true);
    expect((await deliveries()).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  });

  test("redirects is not followed", async () => {
    receiver.answer((_, response) => response.writeHead(307, { Location: "/elsewhere" }).end());
    await app.mail(ANA.id);
    await deliver();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hooks?key=abc"]);
    expect((await deliveries())[0]).toMatchObject({ state: "waiting", tries: [{ status: 307 }] });
  });

  test("is in a private network is never called by address or by name", async () => {
    const { port } = new URL(receiver.origin);
    for (const host of ["127.0.0.1", "localhost"]) {
      const url = `https://${host}:${port}/hooks`;
      await app.db((db) => db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { url } }));
      await app.mail(ANA.id);
    }
    await deliver();
    const all = await deliveries();
    expect(all).toHaveLength(2);
    for (const { tries } of all) {
      expect(tries).toMatchObject([{ status: null, problem: expect.stringContaining("private network") }]);
    }
    expect(receiver.received).toEqual([]);
  });

  test("is slow is cut off at the time limit; an endless body does not matter", async () => {
    const { callReceiver } = await import("~/outside/webhook-receiver/call-receiver.server");
    receiver.answer(() => undefined);
    const url = new URL(`${receiver.origin}/slow`);
    expect(await callReceiver(url, {}, "{}", 100)).toMatchObject({ status: null, problem: "timeout" });
    receiver.answer((_, response) => response.writeHead(202).write("first"));
    const begun = { status: 202, text: "first", problem: null };
    expect(await callReceiver(url, {}, "{}", 2_000)).toMatchObject(begun);
  });

  test("fails for three days is switched off with an alarm, and receives nothing until it is switched on", async () => {
    receiver.answer((_, response) => response.writeHead(503).end());
    await app.mail(ANA.id);
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await endpointRow(), `before try ${attempt}`).toMatchObject({ disabledAt: null });
      await makeTry(attempt);
    }
    expect((await deliveries())[0]).toMatchObject({ state: "failed", attempts: 10 });
    expect(await endpointRow()).toMatchObject({ disabledBy: "system" });
    expect(await openAlarms()).toBe(1);
    await app.mail(ANA.id);
    await deliver();
    expect(await deliveries(), "nothing is sent to it").toHaveLength(1);

    expect(await post(endpoint.id, { intent: "enable" })).toMatchObject({ flash: { tone: "ok" } });
    expect(await openAlarms()).toBe(0);
    await app.mail(ANA.id);
    await deliver();
    expect(await deliveries()).toHaveLength(2);
  });

  test("accepted another event in that time stays on; one that answers 410 is switched off at once", async () => {
    receiver.answer((_, response) => response.writeHead(503).end());
    await app.mail(ANA.id);
    await deliver();
    await putOff();
    receiver.answer((_, response) => response.writeHead(204).end());
    await post(endpoint.id, { intent: "test" });
    await deliver();
    receiver.answer((_, response) => response.writeHead(503).end());
    for (let attempt = 2; attempt <= 10; attempt++) await makeTry(attempt);
    expect((await deliveries())[0]).toMatchObject({ state: "failed" });
    expect(await endpointRow()).toMatchObject({ disabledAt: null });
    receiver.answer((_, response) => response.writeHead(410).end());
    await post(endpoint.id, { intent: "test" });
    await deliver();
    expect(await endpointRow()).toMatchObject({ disabledBy: "system" });
    const { loadAlarms } = await import("~/alarms/alarms-view.server");
    const alarms = await loadAlarms(new URLSearchParams(), new Date());
    expect(JSON.stringify(alarms), "the query may be secret").not.toContain("key=abc");
    await post(endpoint.id, { intent: "remove" });
    expect(await openAlarms(), "there is nothing left to fix").toBe(0);
  });

  test("received an event gets it again by hand; after two rotations the first secret still verifies", async () => {
    await post(endpoint.id, { intent: "rotate" });
    const rotated = await post(endpoint.id, { intent: "rotate" });
    if (!("secret" in rotated && rotated.secret)) throw new Error("no new secret");
    const { id } = await app.mail(ANA.id);
    await deliver();
    const [delivered] = await deliveries();
    const { handleDeliveryPost } = await import("~/webhooks/webhooks-post.server");
    const form = new FormData();
    form.set("intent", "resend");
    const again = await handleDeliveryPost(endpoint.id, String(delivered?.id), form, ANA);
    expect(again.ok).toBe(true);
    await deliver();
    for (const secret of [endpoint.secret, rotated.secret.text]) {
      expect(verified(secret).map(({ data }) => data.id)).toEqual([id, id]);
    }
    expect((await deliveries())[0]).toMatchObject({ state: "delivered", resentBy: ANA.id });

    const { eraseAnswers } = await import("~/webhooks/delivery-record.server");
    expect(await app.db((db) => eraseAnswers(db, [id]))).toBe(2);
  });
});

describe("events", () => {
  beforeAll(async () => open(await postgres.createDatabase()));
  beforeEach(() => startAnew());
  afterAll(() => app?.close());

  test("that occurred while no endpoint was active are sent later, each once, in order", async () => {
    await app.db((db) => db.webhookEndpoint.deleteMany());
    const missed: string[] = [];
    for (let i = 0; i < 4; i++) missed.push((await app.mail(ANA.id)).id);
    await Promise.all([deliver(), deliver()]);
    expect(await app.db((db) => db.webhookMessage.count({ where: { payload: null } }))).toBe(0);
    await addEndpoint();
    await deliver();
    expect(receiver.received).toEqual([]);

    // The second one fails once, and later events wait for it.
    receiver.answer((_, response) => response.writeHead(receiver.received.length === 2 ? 500 : 204).end());
    const hour = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);
    const again = () => post(endpoint.id, { intent: "replay", since: hour, missed: "1" });
    expect(await again()).toMatchObject({
      flash: { tone: "ok", message: expect.stringMatching(/^4 events/) },
    });
    await again();
    await deliver();
    expect(verified().map(({ data }) => data.id)).toEqual(missed.slice(0, 2));
    await makeDue();
    await Promise.all([deliver(), deliver()]);
    expect(verified().map(({ data }) => data.id)).toEqual([missed[0], missed[1], ...missed.slice(1)]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(4);
    expect(await again()).toMatchObject({ flash: { message: expect.stringMatching(/^No events/) } });

    const { replayEvents } = await import("~/webhooks/webhooks-api.server");
    const since = `${hour}:00Z`;
    expect(await replayEvents(endpoint.id, { since }, ANA)).toEqual({ ok: true, value: 4 });
    expect(await replayEvents("none", { since }, ANA)).toMatchObject({ failure: { code: "not_found" } });
    for (const bad of ["yesterday", "0000-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]) {
      const refused = { failure: { code: "bad_input", message: expect.stringContaining("`since`") } };
      expect(await replayEvents(endpoint.id, { since: bad }, ANA)).toMatchObject(refused);
    }
    const { listWireDeliveries } = await import("~/webhooks/webhooks-api.server");
    const listed = await listWireDeliveries(new URLSearchParams({ piece_id: missed[2] ?? "" }));
    expect(listed).toMatchObject({ value: { data: [{ piece_id: missed[2], type: "piece.accepted" }] } });
  });

  test("each have a sample, as described, which no replay sends", async () => {
    const { EVENT_BODIES } = await import("~/webhooks/event.schema.server");
    for (const event of EVENT_NAMES) await post(endpoint.id, { intent: "test", event });
    await deliver();
    const samples = verified();
    for (const { type, schema } of EVENT_BODIES) {
      const sample = samples.find((one) => one.type === type);
      expect(schema.safeParse(sample), type).toMatchObject({ success: true, data: { sample: true } });
    }
    const { replayEvents } = await import("~/webhooks/webhooks-api.server");
    const replayed = await replayEvents(endpoint.id, { since: "2026-01-01T00:00:00Z" }, ANA);
    expect(replayed).toMatchObject({ value: 0 });
  });
});

const endpointRow = () => app.db((db) => db.webhookEndpoint.findUnique({ where: { id: endpoint.id } }));
const openAlarms = () =>
  app.db((db) => db.alarm.count({ where: { subjectId: endpoint.id, closedAt: null } }));

test("a form of a new endpoint that is sent twice creates one", async () => {
  await startAnew();
  const { loadEndpoints } = await import("~/webhooks/load-webhooks.server");
  const view = await loadEndpoints(ANA, new Date());
  const id = view.ok ? view.value.newId : "";
  const send = () => post(null, { intent: "create", id, url: `${receiver.origin}/new`, event: EVENT_NAMES });
  const results = await Promise.all([send(), send()]);
  expect(results.filter((result) => "secret" in result && result.secret?.endpointId === id)).toHaveLength(1);
  expect(await app.db((db) => db.webhookEndpoint.count())).toBe(2);
});

test("signing secrets are encrypted in the database, older ones too, and again when the key changes", async () => {
  const url = await postgres.createDatabase();
  const restart = async (keys: string) => {
    await app?.close();
    await open(url, keys);
    const { deliverWebhooks } = await import("~/webhooks/deliver.server");
    await deliverWebhooks.cleanUp?.();
    return app.db((db) => db.webhookEndpoint.findFirst());
  };
  const send = async () => {
    receiver.received.length = 0;
    await post(endpoint.id, { intent: "test" });
    await deliver();
    return verified().length;
  };
  await restart("");
  await startAnew();
  expect(await send()).toBe(1);
  const sealed = await restart("first");
  expect(sealed?.secret).toMatch(/^sealed:/);
  const again = await restart("second,first");
  expect(again?.secret).not.toBe(sealed?.secret);
  expect(await restart("second,first")).toEqual(again);
  await restart("second");
  expect(await send()).toBe(1);
  const rotated = await post(endpoint.id, { intent: "rotate" });
  if (!("secret" in rotated && rotated.secret)) throw new Error("no new secret");
  expect([await send(), verified(rotated.secret.text).length]).toEqual([1, 1]);
  await restart("third");
  expect(await send()).toBe(0);
  const tries = (await deliveries()).flatMap((one) => one.tries.map(({ problem }) => problem));
  expect(tries).toContainEqual(expect.stringMatching(/^ENCRYPTION_SECRET does not open/));
  await app.close();
});
