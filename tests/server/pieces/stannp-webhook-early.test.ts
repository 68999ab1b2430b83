import { afterEach, expect, test } from "vitest";
import { RECIPIENT } from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { newEmbedded } from "../../support/database/embedded";
import { drain } from "../../support/drain";
import { setUpMailConsole } from "../../support/fixtures";
import { openHook } from "../../support/mail-hook";

/** Provider events about pieces that are not stored yet. */

const app = await setUpMailConsole(newEmbedded());
const { applyPendingEvents: task } = await import("~/pieces/events/pending-events.server");
const applyPendingEvents = () => drain(task);
const { refuseSend } = await import("~/pieces/send/send-transitions.server");
const { decideSend } = await import("~/pieces/page/piece-post.server");
afterEach(async () => {
  expect(await app.findErrors()).toEqual([]);
});

const { mail, itemOf, refundsOf, toEvent, post, cancelThere } = openHook(() => app);
const sendOf = (id: string) => app.db((db) => db.send.findUniqueOrThrow({ where: { id } }));
const countKept = () => app.db((db) => db.pendingEvent.count());

/** A postcard of a new person with 10 credits, mailed by a call whose answer was lost. */
async function lost() {
  const { userId } = await mail();
  app.provider.fail({ kind: "reset-after", path: "postcards/create" });
  const body = { size: "4x6", template: "21001", recipient: RECIPIENT };
  const { json } = await app.proxy({ path: "postcards/create", body, user_id: userId });
  const id = json.send_id ?? "";
  const tags = `mailroom-${id}`;
  const mailItemId = String(app.provider.pieces.find((piece) => piece.tags === tags)?.id);
  expect((await sendOf(id)).state).toBe("unknown");
  return { userId, id, tags, mailItemId };
}

async function book(id: string) {
  const state = async () => {
    await app.recoverSends();
    return (await sendOf(id)).state;
  };
  await expect.poll(state).toBe("accepted");
}

/** Leaves the piece to a person after a day in which the provider was unreachable. */
function leaveToPerson(id: string) {
  return app.db((db) => db.send.update({ where: { id }, data: { state: "needs_review", leaseUntil: null } }));
}

test("cancelled before it is stored: its other events are applied, and it is refunded once it is stored", async () => {
  const early = await lost();
  const other = await mail("letter");
  for (const { mailItemId } of [early, other]) cancelThere(mailItemId);
  const event = toEvent([
    { id: early.mailItemId, status: "cancelled", tags: early.tags },
    { id: other.mailItemId, status: "cancelled" },
  ]);
  expect(await post(event)).toMatchObject({ status: 200, json: { moved: 1, kept: 1, unknown: 0 } });
  expect(await app.balance(other.userId)).toBe(10);
  await applyPendingEvents();
  expect(await app.balance(early.userId)).toBe(9);
  expect((await sendOf(early.id)).state).toBe("unknown");
  await book(early.id);
  expect(await app.balance(early.userId)).toBe(8);
  await Promise.all([applyPendingEvents(), applyPendingEvents()]);
  expect(await app.balance(early.userId)).toBe(9);
  await Promise.all([applyPendingEvents(), post(event), post({ ...event, retries: 1 })]);
  expect(await itemOf(early.id)).toMatchObject({ isCancelled: true, providerId: early.mailItemId });
  expect(await refundsOf(early.id)).toMatchObject([{ amount: 1, actorId: "system" }]);
  expect(await app.balance(early.userId)).toBe(9);
  expect(await countKept()).toBe(0);
});

test("an event without tags is stored too, for a piece that was sent earlier", async () => {
  const [early, foreign] = [await lost(), await lost()];
  for (const { mailItemId } of [early, foreign]) {
    cancelThere(mailItemId);
    expect((await post(toEvent([{ id: mailItemId, status: "cancelled" }]))).json).toMatchObject({ kept: 1 });
  }
  // Assigns the id to another account.
  await app.sql`
    UPDATE pending_events SET received_at = now() - interval '2 minutes' WHERE provider_id = ${foreign.mailItemId}`;
  for (const { id } of [early, foreign]) await book(id);
  await applyPendingEvents();
  expect(await refundsOf(early.id)).toMatchObject([{ amount: 1, actorId: "system" }]);
  expect((await sendOf(foreign.id)).state).toBe("accepted");
  await app.sql`UPDATE pending_events SET received_at = now() - interval '3 days'`;
  await applyPendingEvents();
  expect(await countKept()).toBe(0);
});

test.each([
  ["printing", "accepted", 8],
  ["cancelled", "cancelled", 9],
])("a piece that needs a decision was mailed when an event says %s", async (status, state, balance) => {
  const { userId, id, tags, mailItemId } = await lost();
  await leaveToPerson(id);
  for (const word of ["test", "failed", "teleported"]) {
    expect((await post(toEvent([{ id: mailItemId, status: word, tags }]))).json).toMatchObject({
      unknown: 1,
    });
  }
  await applyPendingEvents();
  expect((await sendOf(id)).state).toBe("needs_review");
  expect((await post(toEvent([{ id: mailItemId, status, tags }]))).json).toMatchObject({ kept: 1 });
  await Promise.all([applyPendingEvents(), applyPendingEvents()]);
  expect(await sendOf(id)).toMatchObject({ state, charged: 1, providerId: mailItemId });
  expect(await itemOf(id)).toMatchObject({ status, providerId: mailItemId });
  expect(await app.balance(userId)).toBe(balance);
  const debits = await app.db((db) =>
    db.creditTransaction.findMany({ where: { causeKey: id, cause: "send" } }),
  );
  expect(debits).toMatchObject([{ amount: 1, actorId: "system" }]);
  expect(await decideSend(id, "not_mailed", ANA)).toMatchObject({ ok: false });
});

test("an event of another account with an equal id refunds nothing for any tags", async () => {
  const { userId, id, mailItemId } = await mail();
  const foreign = toEvent([{ id: mailItemId, status: "cancelled", tags: "spring,their-tag" }]);
  expect((await post(foreign)).json).toMatchObject({ unknown: 1 });
  for (const tags of ["", `mailroom-${id}`]) {
    const doubtful = toEvent([{ id: mailItemId, status: "cancelled", tags }]);
    expect((await post(doubtful)).json).toMatchObject({ kept: 1 });
  }
  await applyPendingEvents();
  expect(await app.balance(userId)).toBe(9);
  await app.sql`
    UPDATE pending_events SET received_at = now() - interval '11 minutes' WHERE provider_id = ${mailItemId}`;
  await applyPendingEvents();
  expect(await app.db((db) => db.alarm.findMany({ where: { subjectId: id } }))).toMatchObject([
    { kind: "event_in_doubt", closedAt: null },
  ]);
  expect(await itemOf(id)).toMatchObject({ isCancelled: false });
  expect(await app.balance(userId)).toBe(9);
});

test("a signed event of a piece whose credits were released is an alarm until a person closes it", async () => {
  const { userId } = await mail();
  app.provider.fail({ kind: "status", status: 402, path: "postcards/create" });
  const body = { size: "4x6", template: "21001", recipient: RECIPIENT };
  const { json } = await app.proxy({ path: "postcards/create", body, user_id: userId });
  const id = json.send_id ?? "";
  const event = toEvent([{ id: "7654321", status: "dispatched", tags: `mailroom-${id}` }]);
  for (const retries of [0, 1]) {
    expect((await post({ ...event, retries })).json).toMatchObject({ kept: 1 });
  }
  const alarms = await app.db((db) => db.alarm.findMany({ where: { subjectId: id } }));
  expect(alarms).toMatchObject([{ kind: "mailed_after_release", times: 2, closedAt: null }]);
  expect(alarms[0]?.evidence).toContain("7654321");
  const early = await lost();
  await post(toEvent([{ id: early.mailItemId, status: "dispatched", tags: early.tags }]));
  await app.db((db) => refuseSend(db, { id: early.id, attempts: 1 }, "not listed", null, "not_listed"));
  await applyPendingEvents();
  expect(await app.db((db) => db.alarm.count({ where: { subjectId: early.id } }))).toBe(1);
  expect(await countKept()).toBe(0);
});

test("mailed by a person's decision: an event adds its id, and it can be cancelled", async () => {
  const { userId, id, tags, mailItemId } = await lost();
  await leaveToPerson(id);
  expect(await decideSend(id, "mailed", ANA)).toMatchObject({ ok: true });
  expect(await itemOf(id)).toMatchObject({ providerId: null });
  const order = { userId, mailItemId: id, type: "postcard" };
  expect((await app.post("/api/mail/cancel", order)).status).toBe(400);
  await post(toEvent([{ id: mailItemId, status: "received", tags }]));
  expect(await itemOf(id)).toMatchObject({ providerId: mailItemId });
  expect(await app.post("/api/mail/cancel", order)).toMatchObject({
    status: 200,
    json: { refund: { creditsRefunded: 1 } },
  });
  expect(await app.balance(userId)).toBe(9);
});
