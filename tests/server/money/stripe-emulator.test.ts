import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type StripeEmulator, startStripe } from "../../emulators/stripe";

const KEY = "sk_test_emulator_0001";
const SECRET = "whsec_emulator_0001";
const ORDER = {
  mode: "payment",
  line_items: [
    { quantity: 1, price_data: { currency: "usd", unit_amount: 999, product_data: { name: "100 credits" } } },
  ],
  client_reference_id: "ours",
  metadata: { checkout_id: "ours" },
  payment_intent_data: { metadata: { checkout_id: "ours" } },
  success_url: "http://console.test/?success=true&session={CHECKOUT_SESSION_ID}",
  cancel_url: "http://console.test/?canceled=true",
} satisfies Stripe.Checkout.SessionCreateParams;

interface Arrival {
  id: string;
  type: string;
  body: string;
  signature: string;
}

let emulator: StripeEmulator;
let receiver: Server;
let stripe: Stripe;
let arrivals: Arrival[];
/** Statuses to answer with, one by one; then 200. */
let answers: number[];

beforeEach(async () => {
  arrivals = [];
  answers = [];
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const { id, type } = JSON.parse(body) as { id: string; type: string };
    arrivals.push({ id, type, body, signature: String(request.headers["stripe-signature"]) });
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  emulator = await startStripe({
    secretKey: KEY,
    webhookSecret: SECRET,
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    retryDelaysMs: [5, 5],
    laterMs: 5,
  });
  stripe = connect(KEY);
});
afterEach(async () => {
  await emulator.close();
  receiver.closeAllConnections();
  receiver.close();
});

function connect(key: string): Stripe {
  const { hostname, port } = new URL(emulator.origin);
  return new Stripe(key, { protocol: "http", host: hostname, port, maxNetworkRetries: 0, telemetry: false });
}

const create = (changes: object = {}, idempotencyKey?: string) =>
  stripe.checkout.sessions.create({ ...ORDER, ...changes }, idempotencyKey ? { idempotencyKey } : {});
const press = (url: string | null, action: string) =>
  fetch(url ?? "", { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });

describe("the API", () => {
  test("a session is what was asked for, open and unpaid", async () => {
    const session = await create();
    expect(session).toMatchObject({
      object: "checkout.session",
      id: expect.stringMatching(/^cs_test_\w{58}$/),
      amount_total: 999,
      currency: "usd",
      client_reference_id: "ours",
      metadata: { checkout_id: "ours" },
      livemode: false,
      mode: "payment",
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
      url: expect.stringContaining(`${emulator.origin}/c/pay/cs_test_`),
    });
    expect(session.expires_at - session.created).toBe(86_400);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ id: session.id });
  });

  test("a live key makes live sessions", async () => {
    await emulator.close();
    emulator = await startStripe({ secretKey: "sk_live_1", webhookSecret: SECRET });
    stripe = connect("sk_live_1");
    expect(await create()).toMatchObject({ livemode: true, id: expect.stringMatching(/^cs_live_/) });
  });

  test("one key opens one session, and stands for no other request", async () => {
    const first = await create({}, "key-1");
    const again = await create({}, "key-1");
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
    await expect(create({ success_url: "http://console.test/other" }, "key-1")).rejects.toMatchObject({
      type: "StripeIdempotencyError",
      statusCode: 400,
    });
    expect(emulator.sessions.size).toBe(1);
  });

  test("a key in use is told so, and a refusal is not kept under it", async () => {
    const held = emulator.fail({ kind: "hold" });
    const first = create({}, "key-1");
    await expect.poll(() => held.hits).toBe(1);
    held.release();
    await first;
    await expect(create({ mode: undefined }, "key-2")).rejects.toMatchObject({ statusCode: 400 });
    expect(await create({}, "key-2")).toMatchObject({ status: "open" });
  });

  test.each([
    ["no key", "", "You did not provide an API key"],
    ["another key", "sk_test_wrong_9999", "Invalid API Key provided: sk_test********9999"],
  ])("%s", async (_name, key, message) => {
    const answer = await fetch(`${emulator.origin}/v1/checkout/sessions`, {
      headers: key ? { Authorization: `Bearer ${key}` } : {},
    });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      error: { type: "invalid_request_error", message: expect.stringContaining(message) },
    });
  });

  test("Basic with the key as name is as good", async () => {
    const answer = await fetch(`${emulator.origin}/v1/checkout/sessions`, {
      headers: { Authorization: `Basic ${Buffer.from(`${KEY}:`).toString("base64")}` },
    });
    expect(await answer.json()).toEqual({
      object: "list",
      data: [],
      has_more: false,
      url: "/v1/checkout/sessions",
    });
  });

  test.each([
    ["an unknown parameter", { price: 1 }, "parameter_unknown", "price"],
    ["no mode", { mode: undefined }, "parameter_missing", "mode"],
    ["no address", { success_url: undefined }, "parameter_missing", "success_url"],
    ["no web address", { success_url: "javascript:alert(1)" }, "url_invalid", "success_url"],
    ["nothing to sell", { line_items: undefined }, "parameter_missing", "line_items"],
  ])("%s is refused", async (_name, changes, code, param) => {
    await expect(create(changes)).rejects.toMatchObject({
      type: "StripeInvalidRequestError",
      statusCode: 400,
      code,
      param: expect.stringContaining(param),
    });
    expect(emulator.sessions.size).toBe(0);
  });

  test("a session there is not", async () => {
    await expect(stripe.checkout.sessions.retrieve("cs_test_none")).rejects.toMatchObject({
      statusCode: 404,
      code: "resource_missing",
      message: "No such checkout.session: 'cs_test_none'",
    });
  });

  test("an open session can be ended, a closed one cannot", async () => {
    const { id } = await create();
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: "expired", url: null });
    await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 });
  });

  test("a session ends by itself at its time", async () => {
    await emulator.close();
    let now = Date.now();
    emulator = await startStripe({ secretKey: KEY, webhookSecret: SECRET, now: () => now });
    stripe = connect(KEY);
    const { id } = await create();
    now += 86_399_000;
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "open" });
    now += 2_000;
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "expired" });
    expect(emulator.events.map(({ type }) => type)).toEqual(["checkout.session.expired"]);
  });

  test("calls can fail in every way, before and after they are done", async () => {
    emulator.fail({ kind: "status", status: 503 });
    await expect(create()).rejects.toMatchObject({ statusCode: 503 });
    emulator.fail({ kind: "timeout" });
    await expect(stripe.checkout.sessions.list({}, { timeout: 50 })).rejects.toMatchObject({
      type: "StripeConnectionError",
    });
    emulator.fail({ kind: "reset-before", times: 2 });
    await expect(create()).rejects.toMatchObject({ type: "StripeConnectionError" });
    expect(emulator.sessions.size).toBe(0);
    emulator.fail({ kind: "reset-after", times: 2 });
    await expect(create({}, "once")).rejects.toMatchObject({ type: "StripeConnectionError" });
    expect(emulator.sessions.size).toBe(1);
  });
});

describe("the payment page", () => {
  test("says what it is and has a button for each way", async () => {
    const { url } = await create();
    const page = await (await fetch(url ?? "")).text();
    expect(page).toContain("Local Stripe emulator");
    expect(page).toContain("100 credits");
    expect(page).toContain("$9.99");
    expect(page).not.toContain("<script");
    const buttons = [...page.matchAll(/<button[^>]*>([^<]+)</g)].map(([, text]) => text);
    expect(buttons).toEqual(["Pay", "Pay later, then succeed", "Pay later, then fail", "Cancel"]);
  });

  test("text from the order is text", async () => {
    const [item] = ORDER.line_items;
    const price_data = { ...item?.price_data, product_data: { name: "<img src=x onerror=alert(1)>" } };
    const { url } = await create({ line_items: [{ quantity: 1, price_data }] });
    expect(await (await fetch(url ?? "")).text()).not.toContain("<img");
  });

  test("paying leads back with the session's id, once", async () => {
    const { id, url } = await create();
    const paid = await press(url, "pay");
    expect(paid.status).toBe(303);
    expect(paid.headers.get("Location")).toBe(`http://console.test/?success=true&session=${id}`);
    expect(await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] })).toMatchObject({
      status: "complete",
      payment_status: "paid",
      payment_intent: { status: "succeeded", amount_received: 999, metadata: { checkout_id: "ours" } },
    });
    expect((await press(url, "pay")).status).toBe(410);
  });

  test("canceling leads back and leaves the session open", async () => {
    const { id, url } = await create();
    expect((await press(url, "cancel")).headers.get("Location")).toBe("http://console.test/?canceled=true");
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "open" });
  });

  test.each([
    ["later-succeed", "checkout.session.async_payment_succeeded", "paid", "succeeded"],
    ["later-fail", "checkout.session.async_payment_failed", "unpaid", "requires_payment_method"],
  ])("%s is complete and unpaid first", async (action, event, payment, intent) => {
    const { id, url } = await create();
    expect((await press(url, action)).headers.get("Location")).toContain("success=true");
    await expect.poll(() => arrivals.map(({ type }) => type)).toEqual(["checkout.session.completed", event]);
    expect(JSON.parse(arrivals[0]?.body ?? "")).toMatchObject({
      data: { object: { payment_status: "unpaid", status: "complete" } },
    });
    expect(await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] })).toMatchObject({
      payment_status: payment,
      payment_intent: { status: intent },
    });
  });

  test("a page there is not", async () => {
    expect((await fetch(`${emulator.origin}/c/pay/cs_test_none`)).status).toBe(404);
  });
});

describe("webhooks", () => {
  const paid = async () => {
    const { id } = await create();
    emulator.account.pay(id);
    return id;
  };

  test("are signed so that Stripe's own package takes them", async () => {
    const id = await paid();
    await emulator.webhooks.settle();
    const [{ body, signature }] = arrivals as [Arrival];
    expect(stripe.webhooks.constructEvent(body, signature, SECRET)).toMatchObject({
      object: "event",
      type: "checkout.session.completed",
      data: { object: { id, payment_status: "paid" } },
    });
    expect(() => stripe.webhooks.constructEvent(body, signature, "whsec_other")).toThrow();
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, SECRET)).toThrow();
  });

  test("come again until they are taken, and end after the last attempt", async () => {
    answers = [500, 503];
    await paid();
    await emulator.webhooks.settle();
    expect(emulator.webhooks.deliveries.map(({ status }) => status)).toEqual([500, 503, 200]);
    expect(new Set(arrivals.map(({ id }) => id)).size).toBe(1);
    answers = [400, 400, 400, 400];
    await paid();
    await emulator.webhooks.settle();
    expect(emulator.webhooks.deliveries).toHaveLength(6);
  });

  test("tell of refunds and disputes with the payment they are about", async () => {
    const id = await paid();
    emulator.account.refund(id, 400);
    emulator.account.refund(id);
    emulator.account.dispute(id);
    await emulator.webhooks.settle();
    const intent = (await stripe.checkout.sessions.retrieve(id)).payment_intent;
    const told = emulator.events.slice(1).map(({ type, data }) => ({ type, ...Object(data.object) }));
    expect(told).toMatchObject([
      { type: "charge.refunded", payment_intent: intent, amount_refunded: 400, refunded: false },
      { type: "charge.refunded", payment_intent: intent, amount_refunded: 999, refunded: true },
      { type: "charge.dispute.created", payment_intent: intent, status: "needs_response" },
    ]);
    const list = await stripe.checkout.sessions.list({ payment_intent: String(intent) });
    expect(list.data.map((session) => session.id)).toEqual([id]);
  });

  test("can be stored, shuffled, repeated, and never sent", async () => {
    emulator.webhooks.mode = "stored";
    for (let turn = 0; turn < 5; turn++) await paid();
    expect(arrivals).toEqual([]);
    const draws = [0.9, 0.1, 0.5, 0.3, 0.7];
    await emulator.webhooks.release({ times: 3, random: () => draws[arrivals.length % 5] ?? 0 });
    expect(arrivals).toHaveLength(15);
    const order = [...new Set(arrivals.map(({ id }) => id))];
    expect(order).toHaveLength(5);
    expect(arrivals.map(({ id }) => id)).not.toEqual(emulator.events.flatMap(({ id }) => [id, id, id]));
    emulator.webhooks.mode = "dropped";
    await paid();
    await emulator.webhooks.settle();
    expect(arrivals).toHaveLength(15);
  });
});
