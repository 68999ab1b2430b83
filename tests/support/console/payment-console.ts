import type { Viewer } from "~/people/viewer.server";
import { SCOPES } from "~/platform/http/token-scopes";
import { type StripeOptions, startStripe } from "../../emulators/stripe";
import { drain } from "../drain";
import { findErrors, inDatabase, loadEnvironment, openSession, sql } from "./environment";
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
  scopes: SCOPES,
  signedInAt: Date.now(),
  token: null,
};

/** Another person with all scopes. */
export const viewerOf = (name: string): Viewer => ({
  ...{ ...ANA, id: `auth-${name}`, actorId: `auth-${name}` },
  ...{ subject: name, displayName: name, email: `${name}@example.com` },
});

/** The console's payments in this process: its modules, its two addresses, and Stripe beside it. */
export type PaymentConsole = Awaited<ReturnType<typeof startPaymentConsole>>;

/**
 * Loads the console's modules again with a new database and a new Stripe emulator.
 * @param options.variables replace variables of the environment; `undefined` removes one
 */
export async function startPaymentConsole(
  databaseUrl: string,
  options: { variables?: Record<string, string | undefined>; stripe?: Partial<StripeOptions> } = {},
) {
  const site = await openSite();
  const { origin } = site;
  const stripe = await startStripe({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: `${origin}/api/stripe/webhook`,
    retryDelaysMs: [50, 100, 200, 400, 800, 1_600, 3_200, 6_400],
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
  const { recoverCheckouts } = await import("~/credits/purchases/complete-checkout.server");
  const { closeDatabase } = await import("~/platform/database/database.server");
  const { log } = await import("~/platform/log.server");
  const cookie = (await openSession(ANA.subject, ANA.displayName)).send("/");
  /** An order for this user with addresses of the console. */
  const order = (userId = ANA.id) => ({
    credits: null,
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
    /** Runs until nothing is due; returns the number of claimed rows. */
    recoverCheckouts: () => drain(recoverCheckouts),
    /** The `Cookie` of Ana's session. */
    cookie,
    log,
    order,
    /** Opens a payment page; returns our id and Stripe's. */
    async start(userId?: string) {
      const started = await createCheckout(order(userId), ANA);
      if (!started.ok) throw new Error(started.failure.message);
      const { id, url } = started.value;
      return { id, url, pageId: url.split("/").at(-1) ?? "" };
    },
    db: inDatabase,
    sql,
    balance: async (userId = ANA.id) =>
      (await inDatabase((client) => client.creditAccount.findUnique({ where: { userId } })))?.balance ?? 0,
    /** Posts JSON text to an address of the console. */
    post: (path: string, body: string, headers: Record<string, string> = {}) =>
      fetch(`${origin}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body,
      }),
    /** Purchases in the ledger under this checkout. */
    countPurchases: (causeKey: string) =>
      inDatabase((client) => client.creditTransaction.count({ where: { cause: "checkout", causeKey } })),
    findErrors,
    async close() {
      await stripe.close();
      await closeDatabase();
      await site.close();
    },
  };
}
