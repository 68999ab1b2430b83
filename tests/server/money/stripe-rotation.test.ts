import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type PaymentConsole,
  SECRET_KEY,
  startPaymentConsole,
  WEBHOOK_SECRET,
} from "../../support/console/payment-console";
import { type Postgres, startPostgres } from "../../support/database/postgres";

let postgres: Postgres;
let app: PaymentConsole;
beforeAll(async () => {
  const variables = {
    STRIPE_SECRET_KEY: `sk_test_next_key,${SECRET_KEY}`,
    STRIPE_WEBHOOK_SECRET: `whsec_next,${WEBHOOK_SECRET}`,
  };
  postgres = await startPostgres();
  app = await startPaymentConsole(await postgres.createDatabase(), { variables });
});
afterAll(async () => {
  await app?.close();
  await postgres?.close();
});

test("a change of Stripe's key and webhook secret loses no payment and no event", async () => {
  const before = await app.balance();
  const { url } = await app.start();
  await fetch(url, { method: "POST", body: new URLSearchParams({ action: "pay" }), redirect: "manual" });
  await app.stripe.webhooks.settle();
  expect(app.stripe.webhooks.deliveries.at(-1)?.status).toBe(200);
  expect(await app.balance()).toBe(before + 100);
});
