import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import type { Viewer } from "~/people/viewer.server";
import type { Database } from "~/platform/database/database.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { type StripeEmulator, type StripeOptions, startStripe } from "../../emulators/stripe";
import { drain } from "../drain";
import { type GatedRoute, gateRoute } from "./gated-route";
import { NO_LIMITS } from "./no-limits";
import { failWith500, toRequest } from "./node-request";

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
  let answer: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
  const server = createServer(async (incoming, response) => {
    const reply = await answer(await toRequest(incoming));
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    LOG_LEVEL: "silent",
    ...options.variables,
  });

  const { createCheckout } = await import("~/credits/purchases/checkout.server");
  const { completeCheckout } = await import("~/credits/purchases/complete-checkout.server");
  const { loadCheckoutReturn } = await import("~/credits/purchases/checkout-return.server");
  const { recoverCheckouts } = await import("~/credits/purchases/recover-checkouts.server");
  const { verifyLedger } = await import("~/credits/ledger/verify-ledger.server");
  const { closeDatabase, withDatabase } = await import("~/platform/database/database.server");
  const { log } = await import("~/platform/log.server");
  const { startSession } = await import("~/platform/http/session.server");
  const session = await startSession({
    subject: ANA.subject,
    name: ANA.displayName,
    email: ANA.email,
    emailVerified: true,
    picture: null,
  });
  const routes: Record<string, GatedRoute> = {
    "/api/stripe/create-checkout": await gateRoute(
      "routes/api.stripe.create-checkout",
      import("~/routes/api.stripe.create-checkout"),
    ),
    "/api/stripe/webhook": await gateRoute(
      "routes/api.stripe.webhook",
      import("~/routes/api.stripe.webhook"),
    ),
  };
  answer = async (request) =>
    routes[new URL(request.url).pathname]?.(request).catch(failWith500) ??
    new Response(null, { status: 404 });

  async function db<T>(work: (db: PrismaClient) => Promise<T>): Promise<T> {
    const done = await withDatabase(work);
    if (!done.ok) throw new Error(done.failure.message);
    return done.value;
  }
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
    cookie: session.split(";")[0] ?? "",
    log,
    order,
    async start(userId) {
      const started = await createCheckout(order(userId), ANA);
      if (!started.ok) throw new Error(started.failure.message);
      const { id, url } = started.value;
      return { id, url, pageId: url.split("/").at(-1) ?? "" };
    },
    db,
    balance: async (userId = ANA.id) =>
      (await db((client) => client.creditAccount.findUnique({ where: { userId } })))?.balance ?? 0,
    post: (path, body, headers = {}) =>
      fetch(`${origin}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body,
      }),
    countPurchases: (causeKey) =>
      db((client) => client.creditTransaction.count({ where: { cause: "checkout", causeKey } })),
    findErrors: async () =>
      (await db((client) => verifyLedger(client))).flatMap(({ id, problems }) =>
        problems.map((problem) => `${id}: ${problem}`),
      ),
    async close() {
      await stripe.close();
      await closeDatabase();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As a process started with these variables and no other of the console's would have it. */
export async function loadEnvironment(variables: Record<string, string | undefined>): Promise<void> {
  // The database outlives its module on purpose, for reloads in development.
  const shared = globalThis as typeof globalThis & { mailroomDatabase?: Database };
  await shared.mailroomDatabase?.close();
  delete shared.mailroomDatabase;
  vi.resetModules();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) {
    if (/^(OAUTH_|STANNP_|STRIPE_|NODE_ENV|.*(DATABASE|POSTGRES)_URL|PORT$)/.test(name)) {
      vi.stubEnv(name, undefined);
    }
  }
  for (const [name, value] of Object.entries({ ...NO_LIMITS, ...variables })) vi.stubEnv(name, value);
}
