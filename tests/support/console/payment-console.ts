import type { Viewer } from "~/people/viewer.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { type StripeEmulator, type StripeOptions, startStripe } from "../../emulators/stripe";
import { drain } from "../drain";
import { inDatabase, loadEnvironment, openSession } from "./environment";
import { openSite } from "./gated-route";

export const SECRET_KEY = "sk_test_payments_4eC39HqLyjWDarjtT1";
export const WEBHOOK_SECRET = "whsec_payments_0001";

export const ANA: Viewer = {
  id: "auth-ana",
  subject: "ana",
  displayName: "Ana",
  email: "ana@example.com",
  picture: null,
  emailVerified: true,
  actorId: "auth-ana",
  token: null,
};

/** The console's payments in this process: its modules, its two addresses, and Stripe beside it. */
export interface PaymentConsole {
  origin: string;
  stripe: StripeEmulator;
  createCheckout: typeof import("~/credits/purchases/checkout.server").createCheckout;
  completeCheckout: typeof import("~/credits/purchases/complete-checkout.server").completeCheckout;
  loadCheckoutReturn: typeof import("~/credits/purchases/checkout-return.server").loadCheckoutReturn;
  /** Until nothing more is due; answers how many rows were claimed. */
  recoverCheckouts(): Promise<number>;
  /** The `Cookie` of Ana's session. */
  cookie: string;
  log: typeof import("~/platform/log.server").log;
  /** An order for this user with addresses of the console. */
  order(userId?: string): { userId: string; successUrl: string; cancelUrl: string };
  /** Opens a payment page; answers our id and Stripe's. */
  start(userId?: string): Promise<{ id: string; pageId: string; url: string }>;
  db<T>(work: (db: PrismaClient) => Promise<T>): Promise<T>;
  balance(userId?: string): Promise<number>;
  /** Posts JSON text to an address of the console. */
  post(path: string, body: string, headers?: Record<string, string>): Promise<Response>;
  /** Purchases in the ledger under this checkout. */
  countPurchases(checkoutId: string): Promise<number>;
  /** What `verify-ledger` finds wrong. */
  findErrors(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Loads the console's modules afresh, with a database and a Stripe of their own.
 * @param options.variables replace what stands in the environment; `undefined` takes it out
 */
export async function startPaymentConsole(
  databaseUrl: string,
  options: { variables?: Record<string, string | undefined>; stripe?: Partial<StripeOptions> } = {},
): Promise<PaymentConsole> {
  const site = await openSite();
  const { origin } = site;
  const stripe = await startStripe({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: `${origin}/api/stripe/webhook`,
    retryDelaysMs: [50, 100, 200, 400, 800],
    laterMs: 20,
    ...options.stripe,
  });
  await loadEnvironment({
    APP_ORIGIN: origin,
    SESSION_SECRET: "payment-test",
    MAILROOM_DATABASE_URL: databaseUrl,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.origin,
    ...options.variables,
  });

  const { createCheckout } = await import("~/credits/purchases/checkout.server");
  const { completeCheckout } = await import("~/credits/purchases/complete-checkout.server");
  const { loadCheckoutReturn } = await import("~/credits/purchases/checkout-return.server");
  const { recoverCheckouts } = await import("~/credits/purchases/recover-checkouts.server");
  const { verifyLedger } = await import("~/credits/ledger/verify-ledger.server");
  const { closeDatabase } = await import("~/platform/database/database.server");
  const { log } = await import("~/platform/log.server");
  const cookie = (await openSession(ANA.subject, ANA.displayName)).send("/");
  const order = (userId = ANA.id) => ({
    userId,
    successUrl: `${origin}/?tab=users&success=true&session={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${origin}/?tab=users&canceled=true`,
  });

  return {
    origin,
    stripe,
    createCheckout,
    completeCheckout,
    loadCheckoutReturn,
    recoverCheckouts: () => drain(recoverCheckouts),
    cookie,
    log,
    order,
    async start(userId) {
      const started = await createCheckout(order(userId), ANA);
      if (!started.ok) throw new Error(started.failure.message);
      const { id, url } = started.value;
      return { id, url, pageId: url.split("/").at(-1) ?? "" };
    },
    db: inDatabase,
    balance: async (userId = ANA.id) =>
      (await inDatabase((client) => client.creditAccount.findUnique({ where: { userId } })))?.balance ?? 0,
    post: (path, body, headers = {}) =>
      fetch(`${origin}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body,
      }),
    countPurchases: (causeKey) =>
      inDatabase((client) => client.creditTransaction.count({ where: { cause: "checkout", causeKey } })),
    findErrors: async () =>
      (await inDatabase((client) => verifyLedger(client))).flatMap(({ id, problems }) =>
        problems.map((problem) => `${id}: ${problem}`),
      ),
    async close() {
      await stripe.close();
      await closeDatabase();
      await site.close();
    },
  };
}
