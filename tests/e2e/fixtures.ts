import { test as base, expect } from "playwright/test";
import { startIdentity } from "../emulators/identity";
import { type MailProvider, startMailProvider } from "../emulators/mail-provider";
import { type StripeEmulator, startStripe } from "../emulators/stripe";
import { type ConsoleProcess, findFreePort, startConsole } from "../support/console-process";
import { startPostgres } from "../support/postgres";

export interface ConsoleOptions {
  database: "embedded" | "postgres" | "none";
}

export interface RunningConsole extends ConsoleProcess {
  provider: MailProvider;
  stripe: StripeEmulator;
  /** The PostgreSQL the console uses, where it uses one. */
  databaseUrl: string | null;
}

export const API_KEY = "e2e-key-7f3a+/=&9c";

interface TestFixtures {
  /** The errors that a test says it provokes; any other fails it. */
  expectedErrors: RegExp | null;
}

/** The console in its own process, with emulators of its own, for each worker. */
export const test = base.extend<TestFixtures, ConsoleOptions & { mailroom: RunningConsole }>({
  database: ["embedded", { option: true, scope: "worker" }],

  mailroom: [
    async ({ database }, use) => {
      const provider = await startMailProvider({ apiKey: API_KEY, rateLimitPerMinute: 100_000 });
      const postgres = database === "postgres" ? await startPostgres() : null;
      const databaseUrl = (await postgres?.createDatabase()) ?? null;
      const client = { clientId: "mailroom", clientSecret: "e2e-client-secret" };
      const identityPort = await findFreePort();
      const issuer = `http://127.0.0.1:${identityPort}`;
      const stripePort = await findFreePort();
      const merchant = { secretKey: "sk_test_e2e_51", webhookSecret: "whsec_e2e" };
      const running = await startConsole({
        STANNP_API_KEY: API_KEY,
        STANNP_BASE_URLS: `US=${provider.origin}/v1,Global=${provider.origin}/global/v1,Dash=${provider.origin}/api/v1`,
        STANNP_TIMEOUT_MS: "3000",
        RECONCILE_INTERVAL_MS: "500",
        STRIPE_API_BASE: `http://127.0.0.1:${stripePort}`,
        STRIPE_SECRET_KEY: merchant.secretKey,
        STRIPE_WEBHOOK_SECRET: merchant.webhookSecret,
        OAUTH_ISSUER: issuer,
        OAUTH_CLIENT_ID: client.clientId,
        OAUTH_CLIENT_SECRET: client.clientSecret,
        ...(database === "embedded" ? { MAILROOM_DATABASE_URL: "pglite://memory" } : {}),
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      });
      const identity = await startIdentity({
        ...client,
        port: identityPort,
        redirectUris: [`${running.origin}/api/auth/callback`],
      });
      const webhookUrl = `${running.origin}/api/stripe/webhook`;
      const stripe = await startStripe({ ...merchant, port: stripePort, webhookUrl, laterMs: 1_000 });
      await use({ ...running, provider, stripe, databaseUrl });
      await running.stop();
      await Promise.all([stripe.close(), provider.close(), identity.close(), postgres?.close()]);
      expect(running.errors).toEqual([]);
    },
    { scope: "worker" },
  ],

  baseURL: async ({ mailroom }, use) => use(mailroom.origin),

  expectedErrors: [null, { option: true }],

  // An error in the browser's console or an error line of the server fails the test.
  page: async ({ page, mailroom, expectedErrors }, use) => {
    const seen: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") seen.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => seen.push(String(error)));
    const logged = mailroom.output.length;
    await use(page);
    const lines = mailroom.output.slice(logged).filter((line) => /"level":(50|60)/.test(line));
    expect([...seen, ...lines].filter((text) => !expectedErrors?.test(text))).toEqual([]);
  },
});

export { expect };
