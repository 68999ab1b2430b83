import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  HOOK_SECRET,
  type MailConsole,
  RECIPIENT,
  startMailConsole,
} from "../../support/console/mail-console";
import { ANA } from "../../support/console/payment-console";
import { layFlakyLink } from "../../support/database/flaky-link";
import { drain } from "../../support/drain";
import { setUpPostgres } from "../../support/fixtures";
import { HOOK, openHook } from "../../support/mail-hook";
import { createRandom } from "../../support/random";

/**
 * `POST /api/stannp/webhook`; `-early` covers events before the piece is stored, `-hostile` requests that are not
 * the provider's.
 */

const postgres = await setUpPostgres();

describe("the webhook", () => {
  let app: MailConsole;
  beforeAll(async () => {
    app = await startMailConsole(await postgres.createDatabase());
    app.provider.webhooks.retryDelaysMs = [20, 20, 20];
  });
  afterEach(async () => {
    app.provider.webhooks.target = null;
    expect(await app.findErrors()).toEqual([]);
  });
  afterAll(() => app?.close());

  const { mail, itemOf, eventsOf, refundsOf, toEvent, post, cancelThere } = openHook(() => app);

  test("during its setup the ping is answered, signed or not", async () => {
    const url = `${app.origin}${HOOK}`;
    expect(await app.provider.webhooks.subscribe({ url, secret: HOOK_SECRET })).toBe(200);
    expect(await app.provider.webhooks.subscribe({ url, secret: null })).toBe(200);
    expect(await app.provider.webhooks.subscribe({ url, secret: "another" })).toBe(400);
  });

  test("events of a piece update its item, with the statuses of webhooks", async () => {
    app.provider.webhooks.target = { url: `${app.origin}${HOOK}`, secret: HOOK_SECRET };
    const { id, mailItemId } = await mail();
    for (const [status, word] of [
      ["producing", "printing"],
      ["handed_over", "dispatched"],
      ["local_delivery", "local_delivery"],
      ["delivered", "delivered"],
      ["returned", "returned"],
    ] as const) {
      app.provider.move(Number(mailItemId), status);
      await app.provider.webhooks.settle();
      expect(await itemOf(id)).toMatchObject({ status: word, isCancelled: false });
    }
    const events = await eventsOf(id);
    expect(events.map(({ status }) => status)).toEqual([
      "printing",
      "dispatched",
      "local_delivery",
      "delivered",
      "returned",
    ]);
    expect(
      events.every(({ saidAt }) => saidAt !== null && Math.abs(Date.now() - saidAt.getTime()) < 60_000),
    ).toBe(true);
  });

  test("cancelled by the provider: refunded once, however often the event arrives", async () => {
    const { userId, id, mailItemId } = await mail("letter");
    cancelThere(mailItemId);
    const event = toEvent([{ id: mailItemId, status: "cancelled" }]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, retries) => post({ ...event, retries })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await app.balance(userId)).toBe(10);
    expect(await itemOf(id)).toMatchObject({
      isCancelled: true,
      status: "cancelled",
      cancellationReason: "Cancelled by the provider",
    });
    const rows = await refundsOf(id);
    expect(rows).toMatchObject([{ amount: 2, actorId: "system", userId }]);
  });

  test("webhook, refresh, recovery and every way to cancel at once: one refund in any order", async () => {
    const random = createRandom(23);
    const pieces = await Promise.all(
      Array.from({ length: 12 }, (_, n) => mail(n % 2 === 0 ? "postcard" : "letter")),
    );
    // The provider cancelled some of them before any request.
    for (const [n, { mailItemId }] of pieces.entries()) {
      if (n % 3 === 0) app.provider.move(Number(mailItemId), "cancelled");
    }
    const refundOf = (json: unknown) => {
      const { refund, credits } = json as {
        refund?: { creditsRefunded: number } | null;
        credits?: { creditsRefunded: number } | null;
      };
      return refund?.creditsRefunded ?? credits?.creditsRefunded ?? 0;
    };
    const replies = await Promise.all(
      pieces.map(async ({ id, userId, mailItemId }, n) => {
        const type = n % 2 === 0 ? "postcard" : "letter";
        const event = toEvent([{ id: mailItemId, status: "cancelled", tags: `mailroom-${id}` }]);
        const order = { userId, mailItemId, type };
        const ways: (() => Promise<number>)[] = [
          () => app.post("/api/mail/cancel", order).then(({ json }) => refundOf(json)),
          () => app.post("/api/mail/cancel", { ...order, mailItemId: id }).then(({ json }) => refundOf(json)),
          () =>
            app
              .proxy({ path: `${type}s/cancel`, body: { id: mailItemId } })
              .then(({ json }) => refundOf(json)),
          () => app.cancelSend(id, ANA).then((done) => (done.ok ? refundOf(done.value) : 0)),
          () => app.refreshStatus([id], ANA).then(() => 0),
          () => app.recoverCancels().then(() => 0),
          ...[0, 1, 2].map((retries) => async () => {
            // The event arrives after the provider's cancel, as in production.
            await expect
              .poll(() => app.provider.pieces.find((piece) => String(piece.id) === mailItemId)?.status)
              .toBe("cancelled");
            expect((await post({ ...event, retries })).status).toBe(200);
            return 0;
          }),
        ];
        const shuffled = ways.map((way) => ({ way, at: random() })).sort((a, b) => a.at - b.at);
        const refunds = await Promise.all(shuffled.map(({ way }) => way()));
        return refunds.filter((refund) => refund > 0);
      }),
    );
    for (const [n, { id, userId }] of pieces.entries()) {
      const charged = n % 2 === 0 ? 1 : 2;
      expect(await itemOf(id)).toMatchObject({ isCancelled: true, status: "cancelled" });
      const rows = await refundsOf(id);
      expect(rows).toMatchObject([{ amount: charged, userId }]);
      expect(await app.balance(userId)).toBe(10);
      // Only the caller whose cancel refunded it receives the refund in its answer.
      expect([[], [charged]]).toContainEqual(replies[n]);
    }
  });

  test("a cancelled piece stays cancelled after any later events in any order", async () => {
    const { userId, id, mailItemId } = await mail("letter");
    cancelThere(mailItemId);
    const words = "dispatched cancelled printing delivered returned cancelled received".split(" ");
    for (const status of words) {
      expect((await post(toEvent([{ id: mailItemId, status }]))).status).toBe(200);
    }
    expect(await itemOf(id)).toMatchObject({ isCancelled: true, status: "cancelled" });
    expect(await app.balance(userId)).toBe(10);
  });

  test("a signed status that only mail has is an alarm for a piece that was cancelled and refunded", async () => {
    const { userId, id, mailItemId } = await mail("letter");
    expect(await app.cancelSend(id, ANA)).toMatchObject({ ok: true });
    const listAlarms = () => app.db((db) => db.alarm.findMany({ where: { subjectId: id } }));
    // True before the cancel, and delivered late.
    await post(toEvent([{ id: mailItemId, status: "received" }]));
    expect(await listAlarms()).toEqual([]);
    for (const tags of ["", `mailroom-${id}`]) {
      await post(toEvent([{ id: mailItemId, status: "delivered", tags }]));
    }
    const [alarm, ...others] = await listAlarms();
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ kind: "mailed_after_release", times: 2, closedAt: null });
    expect(alarm?.evidence).toContain(mailItemId);
    expect(await app.balance(userId)).toBe(10);
  });

  test("shuffled and repeated: every piece ends with its latest status, each status once", async () => {
    const pieces = await Promise.all(Array.from({ length: 20 }, () => mail()));
    const random = createRandom(11);
    const words = ["printing", "dispatched", "in_transit", "local_delivery", "delivered"];
    const events = pieces.flatMap(({ mailItemId }, n) =>
      words.slice(0, 1 + (n % words.length)).flatMap((status) => {
        const event = toEvent([{ id: mailItemId, status }]);
        return [event, event, event];
      }),
    );
    const shuffled = events.map((event) => ({ event, at: random() })).sort((a, b) => a.at - b.at);
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      for (const [n, { event }] of shuffled.entries()) if (n % 4 === lane) await post(event);
    });
    await Promise.all(lanes);
    for (const [n, { id }] of pieces.entries()) {
      const sent = words.slice(0, 1 + (n % words.length));
      expect((await itemOf(id)).status).toBe(sent.at(-1));
      expect((await eventsOf(id)).map(({ status }) => status).sort()).toEqual(sent.sort());
    }
  });
});

test("during a database outage: events are accepted, so that the provider does not pause, and stored later", async () => {
  const link = await layFlakyLink(await postgres.createDatabase());
  const app = await startMailConsole(link.url);
  await app.grant("away", 5);
  const { mailItemId } = await app.mail("away");
  app.provider.webhooks.target = { url: `${app.origin}${HOOK}`, secret: HOOK_SECRET };
  await link.cut();
  app.provider.move(Number(mailItemId), "cancelled");
  await app.provider.webhooks.settle();
  expect(app.provider.webhooks.deliveries.map(({ status }) => status)).toEqual([200]);
  app.provider.fail({ kind: "answer-live", path: "mailings/create" });
  const mailing = { type: "postcard", size: "4x6", template: "21001", recipient: RECIPIENT, test: true };
  expect(await app.proxy({ path: "mailings/create", body: mailing })).toMatchObject({
    status: 200,
    json: { credits: null, hint: expect.any(String) },
  });
  await link.mend();
  const { replayProviderEvents } = await import("~/pieces/events/provider-events.server");
  const { replayUnexpectedLive } = await import("~/pieces/send/unexpected-mail.server");
  await expect.poll(() => drain(replayProviderEvents)).toBe(1);
  await drain(replayUnexpectedLive);
  expect(await app.balance("away")).toBe(5);
  expect(await app.db((db) => db.alarm.findMany())).toMatchObject([
    { kind: "mailed_as_test", subjectType: "system", closedAt: null },
  ]);
  expect(await app.findErrors()).toEqual([]);
  await app.close();
  await link.close();
});
