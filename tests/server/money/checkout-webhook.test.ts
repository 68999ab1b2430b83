import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ANA,
  type PaymentConsole,
  SECRET_KEY,
  startPaymentConsole,
  WEBHOOK_SECRET,
} from "../../support/console/payment-console";
import { layFlakyLink } from "../../support/database/flaky-link";
import { setUpPaymentConsole, setUpPostgres } from "../../support/fixtures";

const HOOK = "/api/stripe/webhook";

const postgres = await setUpPostgres();

const link = await layFlakyLink(await postgres.createDatabase());
afterAll(() => link.close());
const app = await setUpPaymentConsole(link.url);
beforeEach(() => {
  app.stripe.webhooks.mode = "delivered";
});
afterEach(() => vi.restoreAllMocks());

const rowOf = (id: string) => app.db((db) => db.checkoutSession.findUniqueOrThrow({ where: { id } }));
/** Captures the event of a payment of `pageId`, which is not delivered. */
function keepEvent(act: () => void) {
  app.stripe.webhooks.mode = "dropped";
  act();
  const event = app.stripe.events.at(-1);
  if (!event) throw new Error("no event");
  return event;
}
const sign: typeof app.stripe.webhooks.sign = (...args) => app.stripe.webhooks.sign(...args);
const deliver = (body: string, signature: string | null = sign(body)) =>
  app.post(HOOK, body, signature === null ? {} : { "Stripe-Signature": signature });

describe("Stripe's events", () => {
  test.each([
    ["stored", true],
    ["not stored yet", false],
  ])("a paid page that is %s is booked although the buyer does not return", async (_name, stored) => {
    const before = await app.balance();
    const { id, pageId, url } = await app.start();
    if (!stored)
      await app.db((db) => db.checkoutSession.update({ where: { id }, data: { stripeSessionId: null } }));
    await fetch(url, { method: "POST", body: new URLSearchParams({ action: "pay" }), redirect: "manual" });
    await app.stripe.webhooks.settle();
    expect(app.stripe.webhooks.deliveries.at(-1)?.status).toBe(200);
    expect(await app.balance()).toBe(before + 100);
    expect(await rowOf(id)).toMatchObject({ state: "completed", stripeSessionId: pageId });
  });

  test.each([
    ["expire", "expired"],
    ["fail", "failed"],
  ] as const)("pages that %s close the purchase and add nothing", async (act, state) => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    if (act === "expire") app.stripe.account.expire(pageId);
    else {
      app.stripe.account.payLater(pageId);
      app.stripe.account.settle(pageId, "failed");
    }
    await app.stripe.webhooks.settle();
    expect(await rowOf(id)).toMatchObject({ state });
    expect(await app.balance()).toBe(before);
    const alarms = await app.db((db) => db.alarm.findMany({ where: { subjectId: id } }));
    // A payment that fails later opens an alarm, because the buyer has left the page.
    expect(alarms.map(({ kind }) => kind)).toEqual(act === "fail" ? ["payment_failed"] : []);
  });

  test("a success after a premature failure is booked", async () => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    app.stripe.account.payLater(pageId);
    app.stripe.account.settle(pageId, "failed");
    await app.stripe.webhooks.settle();
    expect(await rowOf(id)).toMatchObject({ state: "failed" });
    app.stripe.change(pageId, { payment_status: "paid" });
    await app.completeCheckout(id);
    expect(await app.balance()).toBe(before + 100);
    expect(await rowOf(id)).toMatchObject({ state: "completed" });
  });

  /** A page of the same account, with the same price. */
  const openStray = (clientReferenceId: string, metadata: Record<string, string>) =>
    app.stripe.account.open({
      ...{ amount: 999, currency: "usd", clientReferenceId, metadata, intentMetadata: {} },
      ...{ productName: "100 credits", successUrl: app.origin, cancelUrl: null, customerEmail: null },
      invoiced: false,
      expiresSeconds: Math.floor(Date.now() / 1000) + 3_600,
    }).id;
  /** The page of another purchase. */
  const openOther = async (clientReferenceId: string, metadata: Record<string, string>) => {
    const { pageId } = await app.start();
    app.stripe.change(pageId, { client_reference_id: clientReferenceId, metadata });
    return pageId;
  };
  test.each([
    ["another page that names it", openOther, true],
    ["a page that we never opened, as a payment link can", openStray, false],
    ["a page that we never opened, naming it in both places", openStray, true],
  ])("%s books nothing for our purchase", async (_name, open, marked) => {
    const before = await app.balance();
    const { id } = await app.start();
    const pageId = await open(id, marked ? { checkout_id: id } : {});
    app.stripe.account.pay(pageId);
    await app.stripe.webhooks.settle();
    expect(app.stripe.webhooks.deliveries.at(-1)?.status).toBe(200);
    expect(await app.balance()).toBe(before);
    expect(await rowOf(id)).toMatchObject({ state: "open" });
    const other = await app.db((db) => db.checkoutSession.findFirst({ where: { stripeSessionId: pageId } }));
    expect(other?.state).toBe(open === openOther ? "mismatch" : undefined);
  });

  test("a refund or dispute flags the purchase, each outcome is an alarm, and the credits stay", async () => {
    const { id, pageId } = await app.start();
    app.stripe.account.pay(pageId);
    await app.stripe.webhooks.settle();
    // Disputes arrive months later.
    await app.sql`UPDATE checkout_sessions SET created_at = now() - interval '90 days' WHERE id = ${id}`;
    const before = await app.balance();
    const alarms = async () => {
      const found = await app.db((db) => db.alarm.findMany({ where: { subjectId: id } }));
      return found.map(({ kind, subjectType, times, closedAt }) => [kind, subjectType, times, closedAt]);
    };
    const { events, webhooks } = app.stripe;
    const earlier = events.length;
    app.stripe.account.refund(pageId, 100);
    app.stripe.account.refund(pageId, 300);
    await webhooks.settle();
    expect((await deliver(JSON.stringify(events[earlier]))).status).toBe(200);
    const refunded = { state: "completed", flag: "refunded", note: "Stripe refunded $4.00 of $9.99." };
    expect(await rowOf(id)).toMatchObject(refunded);
    app.stripe.account.failRefund(pageId, 300);
    app.stripe.account.dispute(pageId);
    await webhooks.settle();
    expect(await rowOf(id)).toMatchObject({ state: "completed", flag: "disputed" });
    app.stripe.account.refund(pageId);
    app.stripe.account.closeDispute(pageId, "lost");
    await app.stripe.webhooks.settle();
    expect(await rowOf(id)).toMatchObject({ flag: "disputed", note: expect.stringContaining("ended") });
    expect(await app.balance()).toBe(before);
    expect((await alarms()).toSorted()).toEqual([
      ["dispute_closed", "payment", 1, null],
      ["payment_disputed", "payment", 1, null],
      ["payment_refunded", "payment", 4, null],
      ["refund_failed", "payment", 1, null],
    ]);
  });

  test("a second refund, failure or dispute opens its alarm again; a repeated event does not", async () => {
    const { id, pageId } = await app.start();
    const { account, events, webhooks } = app.stripe;
    account.pay(pageId);
    await webhooks.settle();
    const listOpen = async () => {
      const open = await app.db((db) => db.alarm.findMany({ where: { subjectId: id, closedAt: null } }));
      return open.map(({ kind }) => kind).sort();
    };
    const refundInVain = () => {
      account.refund(pageId, 400);
      account.failRefund(pageId, 400);
      account.dispute(pageId);
      account.closeDispute(pageId, "lost");
    };
    const all = ["dispute_closed", "payment_disputed", "payment_refunded", "refund_failed"];
    for (const _ of ["first", "second"]) {
      const before = events.length;
      refundInVain();
      await webhooks.settle();
      expect(await listOpen()).toEqual(all);
      await app.db((db) =>
        db.alarm.updateMany({ data: { closedAt: new Date(), closedBy: "ana", closeReason: "settled" } }),
      );
      for (const event of events.slice(before)) {
        expect((await deliver(JSON.stringify(event))).status).toBe(200);
      }
      expect(await listOpen()).toEqual([]);
    }
  });

  test("events of other kinds and from other shops of the account are ignored", async () => {
    const session = { id: "cs_test_other", object: "checkout.session", metadata: {}, payment_status: "paid" };
    const cents = { amount: 1, amount_refunded: 1 };
    const charge = { id: "ch_other", object: "charge", payment_intent: "pi_other", ...cents };
    const before = await app.db((db) => db.checkoutSession.findMany({ orderBy: { id: "asc" } }));
    for (const [type, object] of [
      ["invoice.paid", { id: "in_1", object: "invoice" }],
      ["checkout.session.completed", session],
      ["charge.refunded", charge],
      ["charge.dispute.created", { id: "du_1", object: "dispute", payment_intent: null }],
    ] as const) {
      const body = JSON.stringify({ id: "evt_1", object: "event", type, livemode: false, data: { object } });
      const answer = await deliver(body);
      expect([type, answer.status, await answer.json()]).toEqual([type, 200, { received: true }]);
    }
    expect(await app.db((db) => db.checkoutSession.findMany({ orderBy: { id: "asc" } }))).toEqual(before);
  });
});

describe("an event without a fresh signature", () => {
  test.each([
    ["without a signature", () => null],
    ["with a made-up signature", () => "t=1,v1=00"],
    ["signed with another secret", (body: string) => sign(body, { secret: "whsec_other" })],
    ["signed with the API key", (body: string) => sign(body, { secret: SECRET_KEY })],
    ["signed six minutes ago", (body: string) => sign(body, { atMs: Date.now() - 360_000 })],
    ["signed by an old scheme", (body: string) => sign(body).replace("v1=", "v0=")],
  ])("%s is refused and nothing is stored", async (_name, signWrongly) => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    const body = JSON.stringify(keepEvent(() => app.stripe.account.pay(pageId)));
    const requests = app.stripe.requests.length;
    const answer = await deliver(body, signWrongly(body));
    expect(answer.status).toBe(400);
    const error = expect.stringContaining("Nothing was stored.");
    expect(await answer.json()).toMatchObject({ success: false, error });
    expect(app.stripe.requests.length).toBe(requests);
    expect(await app.balance()).toBe(before);
    expect(await rowOf(id)).toMatchObject({ state: "open" });
  });

  test.each<[string, (event: object, text: string) => string, signs: "sent" | "original", status: number]>([
    ["with other bytes", (event) => JSON.stringify(event), "original", 400],
    ["with another amount", (_, text) => text.replace("999", "998"), "original", 400],
    ["of the other mode", (event) => JSON.stringify({ ...event, livemode: true }), "sent", 400],
    ["of a thin kind", (event) => JSON.stringify({ ...event, object: "v2.core.event" }), "sent", 400],
    ["as it was signed", (_, text) => text, "sent", 200],
  ])("an event arrives %s", async (_name, change, signs, status) => {
    const before = await app.balance();
    const { pageId } = await app.start();
    const event = keepEvent(() => app.stripe.account.pay(pageId));
    const original = JSON.stringify(event, null, 2);
    const sent = change(event, original);
    const signature = sign(signs === "sent" ? sent : original);
    expect((await deliver(sent, signature)).status).toBe(status);
    expect(await app.balance()).toBe(status === 200 ? before + 100 : before);
  });

  test("a signed text that is not an event is refused", async () => {
    for (const body of [
      "",
      "null",
      "{}",
      "{",
      '{"object":"event","livemode":false,"type":"checkout.session.completed"}',
      '{"object":"event","livemode":false,"type":"charge.refunded","data":{"object":null}}',
    ]) {
      expect((await deliver(body)).status, body).toBe(400);
    }
  });

  test("an event about a payment that Stripe denies is refused", async () => {
    const { id, pageId } = await app.start();
    const body = JSON.stringify(keepEvent(() => app.stripe.account.pay(pageId)));
    app.stripe.fail({ kind: "status", status: 404 });
    const gone = JSON.stringify(JSON.parse(body)).replaceAll(pageId, `${pageId}x`);
    await app.db(
      (db) =>
        db.$executeRaw`UPDATE checkout_sessions SET stripe_session_id = ${`${pageId}x`} WHERE id = ${id}`,
    );
    const codes = [];
    for (let turn = 0; turn < 2; turn++) codes.push((await deliver(gone)).status);
    expect(codes).toEqual([502, 400]);
    expect(await rowOf(id)).toMatchObject({ state: "open" });
  });

  test("larger than any event: 413, and other methods: 405", async () => {
    expect((await deliver(JSON.stringify({ filler: "x".repeat(1024 * 1024) }))).status).toBe(413);
    expect((await fetch(`${app.origin}/api/stripe/webhook`)).status).toBe(405);
  });
});

describe("during an outage", () => {
  test.each([
    ["the database", 503, () => link.cut(), () => link.mend()],
    ["Stripe", 502, () => app.stripe.fail({ kind: "status", status: 500, times: 2 }), () => {}],
  ])("%s: %i during the outage, booked once when the event is retried", async (_name, status, cut, mend) => {
    const before = await app.balance();
    const { id, pageId } = await app.start();
    const attempts = app.stripe.webhooks.deliveries.length;
    await cut();
    app.stripe.account.pay(pageId);
    const statuses = () => app.stripe.webhooks.deliveries.slice(attempts).map((one) => one.status);
    await expect.poll(statuses).toContain(status);
    await mend();
    await app.stripe.webhooks.settle();
    expect(statuses().at(-1)).toBe(200);
    expect(await app.balance()).toBe(before + 100);
    expect(await app.countPurchases(id)).toBe(1);
  });

  test("the books are consistent at the end", async () => {
    expect(await app.findErrors()).toEqual([]);
  });
});

describe("without configuration", () => {
  const loaded: PaymentConsole[] = [];
  afterAll(async () => {
    for (const console of loaded) await console.close();
  });
  const load = async (variables: Record<string, string | undefined>) => {
    const console = await startPaymentConsole(await postgres.createDatabase(), { variables });
    loaded.push(console);
    return console;
  };

  test.each([
    ["a key", "STRIPE_SECRET_KEY"],
    ["a webhook secret", "STRIPE_WEBHOOK_SECRET"],
  ])("without %s no event is accepted, even one signed with an empty secret", async (_name, variable) => {
    const other = await load({ [variable]: undefined });
    const signature = other.stripe.webhooks.sign("{}", { secret: "" });
    expect((await other.post(HOOK, "{}", { "Stripe-Signature": signature })).status).toBe(503);
    if (variable !== "STRIPE_SECRET_KEY") return;
    const refused = await other.createCheckout(other.order(), ANA);
    expect(refused).toMatchObject({ ok: false, failure: { code: "not_configured" } });
    expect(!refused.ok && refused.failure.message).toContain(variable);
    expect(await other.recoverCheckouts()).toBe(0);
  });

  test("the reason names the key that Stripe refuses without showing it", async () => {
    const other = await load({ STRIPE_SECRET_KEY: "sk_test_wrong_ABCDEFGH" });
    const lines = [vi.spyOn(other.log, "warn"), vi.spyOn(other.log, "error")];
    const refused = await other.createCheckout(other.order(), ANA);
    expect(refused).toMatchObject({ ok: false, failure: { code: "not_configured" } });
    const written = JSON.stringify([refused, lines.map(({ mock }) => mock.calls)]);
    expect(written).toContain("StripeAuthenticationError");
    expect(written).not.toMatch(/EFGH|wrong_/);
  });

  test("a change of Stripe's key and webhook secret loses no payment and no event", async () => {
    const other = await load({
      STRIPE_SECRET_KEY: `sk_test_next_key,${SECRET_KEY}`,
      STRIPE_WEBHOOK_SECRET: `whsec_next,${WEBHOOK_SECRET}`,
    });
    const { url } = await other.start();
    await fetch(url, { method: "POST", body: new URLSearchParams({ action: "pay" }), redirect: "manual" });
    await other.stripe.webhooks.settle();
    expect(other.stripe.webhooks.deliveries.at(-1)?.status).toBe(200);
    expect(await other.balance()).toBe(100);
  });

  test("a live key accepts live events only", async () => {
    const other = await load({ STRIPE_SECRET_KEY: "sk_live_1" });
    const event = { id: "evt_1", object: "event", type: "invoice.paid", data: { object: {} } };
    const statuses = [];
    for (const livemode of [true, false]) {
      const body = JSON.stringify({ ...event, livemode });
      const signature = other.stripe.webhooks.sign(body, { secret: WEBHOOK_SECRET });
      statuses.push((await other.post(HOOK, body, { "Stripe-Signature": signature })).status);
    }
    expect(statuses).toEqual([200, 400]);
  });
});
