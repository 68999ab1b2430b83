import { afterEach, expect, test } from "vitest";
import { HOOK_SECRET } from "../../support/console/mail-console";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";
import { HOOK, openHook } from "../../support/mail-hook";

/** Requests to `POST /api/stannp/webhook` that the provider does not send. */
const postgres = await setUpPostgres();
const app = await setUpMailConsole(await postgres.createDatabase());
afterEach(async () => {
  expect(await app.findErrors()).toEqual([]);
});

const { mail, itemOf, eventsOf, countEvents, toEvent, post, cancelThere } = openHook(() => app);

test("forged, re-serialised, old or unreadable: 400, and nothing is stored", async () => {
  const { userId, id, mailItemId } = await mail();
  const before = await countEvents();
  const event = toEvent([{ id: mailItemId, status: "cancelled" }]);
  const body = JSON.stringify(event);
  const right = app.provider.webhooks.sign(body, HOOK_SECRET);
  const unsigned = await app.post(HOOK, body, { headers: { Cookie: "" } });
  const cases: [string, { status: number }][] = [
    ["unsigned", unsigned],
    [
      "another secret",
      await post(event, { "X-Stannp-Signature": app.provider.webhooks.sign(body, "guess") }),
    ],
    ["no digest", await post(event, { "X-Stannp-Signature": "sha256=" })],
    ["re-serialised", await post(JSON.stringify(event, null, 1), { "X-Stannp-Signature": right })],
    ["old", await post({ ...event, created: "2026-01-05 09:00:00" })],
    ["dated in the future", await post({ ...event, created: "2093-01-05 09:00:00" })],
    [
      "a ping with pieces, unsigned",
      await app.post(HOOK, { ...event, event: "test_url" }, { headers: { Cookie: "" } }),
    ],
    ["no JSON", await post("{")],
    ["no event", await post('{"mailpieces":[]}')],
    ["no pieces", await post('{"event":"mailpiece_status"}')],
    [
      "nested deeply",
      await post(`{"event":"mailpiece_status","mailpieces":${"[".repeat(90)}${"]".repeat(90)}}`),
    ],
  ];
  expect(cases.map(([what, { status }]) => [what, status])).toEqual(cases.map(([what]) => [what, 400]));
  expect(await countEvents()).toBe(before);
  expect(await itemOf(id)).toMatchObject({ status: "received", isCancelled: false });
  expect(await app.balance(userId)).toBe(9);
  const old = { "X-Stannp-Sigature": right, Cookie: "" };
  cancelThere(mailItemId);
  expect((await app.post(HOOK, body, { headers: old })).status).toBe(200);
  expect(await app.balance(userId)).toBe(10);
});

test("too large, or of wrong types: nothing is stored, and nothing breaks", async () => {
  const { userId, id, mailItemId } = await mail();
  const before = await countEvents();
  const large = toEvent([{ id: mailItemId, status: "cancelled", tags: "x".repeat(4 * 1024 * 1024) }]);
  expect(await post(large)).toMatchObject({ status: 413, json: { success: false } });
  const many = toEvent(Array.from({ length: 5_001 }, () => ({ id: mailItemId, status: "cancelled" })));
  expect((await post(many)).status).toBe(400);
  const right = toEvent([{ id: mailItemId, status: "cancelled" }]);
  const refused: Record<string, unknown>[] = [
    { ...right, mailpieces: { 0: right.mailpieces?.[0] } },
    { ...right, mailpieces: null },
    { ...right, event: ["mailpiece_status"] },
    { ...right, mailpieces: [{ id: `${mailItemId}\u0000`, status: "cancelled" }] },
    { ...right, mailpieces: [{ id: mailItemId, status: "\ud800" }] },
    { ...right, mailpieces: [{ id: 1e30, status: "cancelled" }] },
  ];
  for (const event of refused) {
    expect([event, (await post(JSON.stringify(event))).status]).toEqual([event, 400]);
  }
  const ids = [[mailItemId], { id: mailItemId }, true, -1, "0x5", `${mailItemId}.0`, undefined];
  const statuses = [["cancelled"], 80, "cancelled; DROP TABLE sends", "x".repeat(9_000), undefined];
  for (const piece of [
    ...ids.map((one) => ({ id: one, status: "cancelled" })),
    ...statuses.map((one) => ({ id: mailItemId, status: one })),
  ]) {
    const replies = await post(JSON.stringify({ ...right, mailpieces: [piece] }));
    expect([piece, replies.status, replies.json.moved]).toEqual([piece, 200, 0]);
  }
  expect(await countEvents()).toBe(before);
  expect(await itemOf(id)).toMatchObject({ status: "received", isCancelled: false });
  expect(await app.balance(userId)).toBe(9);
  const odd = {
    ...right,
    created: 5,
    retries: "2",
    webhook_id: null,
    mailpieces: [{ id: mailItemId, status: "Canceled", tags: ["x"] }],
  };
  cancelThere(mailItemId);
  expect((await post(JSON.stringify(odd))).json).toMatchObject({ moved: 1 });
  expect(await app.balance(userId)).toBe(10);
});

test("unknown pieces, statuses and events are accepted and change nothing", async () => {
  const { id, mailItemId } = await mail();
  const replies = [
    await post(toEvent([{ id: 4_242_424, status: "cancelled" }])),
    await post(toEvent([{ id: 0, status: "cancelled" }])),
    await post(toEvent([{ id: mailItemId, status: "<script>" }])),
    await post(toEvent([{ id: mailItemId, status: "" }])),
    await post(toEvent([], "campaign_status")),
    await post({ ...toEvent([]), event: "recipient_events", mailpieces: undefined as never }),
    await post({ ...toEvent([]), mailpieces: [null, 1, "x", [], {}] as never }),
    await post(toEvent([{ id: mailItemId, status: "teleported" }])),
  ];
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await itemOf(id)).toMatchObject({ status: "received" });
  expect((await eventsOf(id)).map(({ status }) => status)).toEqual(["teleported"]);
});

test("an id of several accounts is identified by the tag of our send, or ignored", async () => {
  const { userId, id, mailItemId } = await mail();
  const other = await mail();
  await app.sql`UPDATE mail_items SET provider_id = ${mailItemId}, base_url = 'x' WHERE id = ${other.id}`;
  await app.sql`UPDATE sends SET provider_id = ${mailItemId} WHERE id = ${other.id}`;
  expect((await post(toEvent([{ id: mailItemId, status: "cancelled" }]))).json).toMatchObject({ unknown: 1 });
  expect(await app.balance(userId)).toBe(9);
  const wrong = toEvent([{ id: "5", status: "cancelled", tags: `mailroom-${id}` }]);
  expect((await post(wrong)).json).toMatchObject({ unknown: 1 });
  cancelThere(mailItemId);
  const right = toEvent([{ id: mailItemId, status: "cancelled", tags: `spring,mailroom-${id}` }]);
  expect((await post(right)).json).toMatchObject({ moved: 1 });
  expect([await app.balance(userId), await app.balance(other.userId)]).toEqual([10, 9]);
});
