import Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type StripeEmulator, startStripe } from "../../emulators/stripe";
import { startWebhookReceiver, type WebhookReceiver } from "../../emulators/webhook-receiver";

/** Behaviour that other tests rely on, checked with Stripe's own package. */
const KEY = "sk_test_emulator_0001";
const SECRET = "whsec_emulator_0001";
const product = { currency: "usd", unit_amount: 999, product_data: { name: "100 credits" } };
const ORDER = {
  mode: "payment",
  line_items: [{ quantity: 1, price_data: product }],
  success_url: "http://console.test/?success=true&session={CHECKOUT_SESSION_ID}",
  cancel_url: "http://console.test/?canceled=true",
} satisfies Stripe.Checkout.SessionCreateParams;

let emulator: StripeEmulator;
let receiver: WebhookReceiver;
let stripe: Stripe;
/** Statuses of the next answers, one by one; then 200. */
let answers: number[];

beforeEach(async () => {
  answers = [];
  receiver = await startWebhookReceiver();
  receiver.answer((_request, response) => response.writeHead(answers.shift() ?? 200).end());
  const webhookUrl = `${receiver.origin}/hook`;
  const options = { secretKey: KEY, webhookSecret: SECRET, webhookUrl, retryDelaysMs: [5, 5] };
  emulator = await startStripe(options);
  const { hostname, port } = new URL(emulator.origin);
  stripe = new Stripe(KEY, {
    protocol: "http",
    host: hostname,
    port,
    maxNetworkRetries: 0,
    telemetry: false,
  });
});
afterEach(async () => {
  await emulator.close();
  await receiver.close();
});

const create = (changes: object = {}, idempotencyKey?: string) =>
  stripe.checkout.sessions.create({ ...ORDER, ...changes }, idempotencyKey ? { idempotencyKey } : {});
const load = (id: string) => stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
const readTypes = () => receiver.received.map(({ body }) => JSON.parse(body).type);

test("a key opens one session and is refused for another request", async () => {
  const first = await create({}, "key-1");
  expect(first).toMatchObject({ status: "open", payment_status: "unpaid", amount_total: 999 });
  expect((await create({}, "key-1")).id).toBe(first.id);
  await expect(create({ cancel_url: "http://console.test/x" }, "key-1")).rejects.toMatchObject({
    type: "StripeIdempotencyError",
  });
  await expect(create({ mode: undefined })).rejects.toMatchObject({ statusCode: 400 });
  await expect(load("cs_test_none")).rejects.toMatchObject({ code: "resource_missing" });
  expect(emulator.sessions.size).toBe(1);
});

test("events are retried, stored, repeated and dropped; refunds and disputes send events too", async () => {
  answers = [500, 503];
  const { id } = await create();
  emulator.account.pay(id);
  await emulator.webhooks.settle();
  expect(emulator.webhooks.deliveries.map(({ status }) => status)).toEqual([500, 503, 200]);
  emulator.webhooks.mode = "stored";
  emulator.account.refund(id, 400);
  emulator.account.dispute(id);
  expect(receiver.received).toHaveLength(3);
  await emulator.webhooks.release({ times: 2 });
  expect(readTypes().slice(3).sort()).toEqual(
    ["charge.dispute.created", "charge.refunded"].flatMap((type) => [type, type]),
  );
  emulator.webhooks.mode = "dropped";
  emulator.account.refund(id);
  await emulator.webhooks.settle();
  expect(receiver.received).toHaveLength(7);
});

test("calls fail before and after their effect", async () => {
  emulator.fail({ kind: "status", status: 503 });
  await expect(create()).rejects.toMatchObject({ statusCode: 503 });
  for (const [kind, sessions] of [
    ["reset-before", 0],
    ["reset-after", 1],
  ] as const) {
    emulator.fail({ kind, times: 2 });
    await expect(create({}, "once")).rejects.toMatchObject({ type: "StripeConnectionError" });
    expect(emulator.sessions.size).toBe(sessions);
  }
});
