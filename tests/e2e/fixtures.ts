import { type APIRequestContext, test as base, expect } from "playwright/test";
import { startIdentity } from "../emulators/identity";
import { type MailProvider, startMailProvider } from "../emulators/mail-provider";
import { type StripeEmulator, startStripe } from "../emulators/stripe";
import { type ConsoleProcess, findFreePort, startConsole } from "../support/console/console-process";
import { newEmbedded } from "../support/database/embedded";
import { startPostgres } from "../support/database/postgres";
import { PEOPLE } from "./sign-in";

export interface ConsoleOptions {
  database: "embedded" | "postgres" | "none";
  /** The name of scenarios that share a console and its database with no others; null for all others. */
  ownConsole: string | null;
  /** Environment of the console that differs from that of all others, which makes it a console of its own. */
  variables: Record<string, string>;
}

export interface RunningConsole extends ConsoleProcess {
  provider: MailProvider;
  stripe: StripeEmulator;
  /** The PostgreSQL the console uses, where it uses one. */
  databaseUrl: string | null;
}

/** Somebody whom no other test knows: with no mail, no credits and no stored responses. */
interface Newcomer {
  /** On the login page, and in Mailroom. */
  name: string;
  userId: string;
}

export const API_KEY = "e2e-key-7f3a+/=&9c";

export const HOOK_SECRET = "whook-e2e-00000001";

interface TestFixtures {
  /** The errors that a test says it provokes; any other fails it. */
  expectedErrors: RegExp | null;
  /** For what looks at all of a user's mail or credits, where pieces of other tests would be in the way. */
  newcomer: Newcomer;
}

/** The console in its own process, with emulators of its own, for each worker. */
export const test = base.extend<TestFixtures, ConsoleOptions & { mailroom: RunningConsole }>({
  database: ["postgres", { option: true, scope: "worker" }],

  ownConsole: [null, { option: true, scope: "worker" }],

  variables: [{}, { option: true, scope: "worker" }],

  mailroom: [
    async ({ database, variables }, use) => {
      const provider = await startMailProvider({
        apiKey: API_KEY,
        rateLimitPerMinute: 100_000,
        // Pieces stand where they are: a machine that is slow must not put one into production meanwhile.
        statusStepMs: 0,
      });
      const postgres = database === "postgres" ? await startPostgres() : null;
      const databaseUrl = (await postgres?.createDatabase()) ?? null;
      const client = { clientId: "mailroom", clientSecret: "e2e-client-secret" };
      const identityPort = await findFreePort();
      const issuer = `http://127.0.0.1:${identityPort}`;
      const stripePort = await findFreePort();
      const merchant = { secretKey: "sk_test_e2e_51", webhookSecret: "whsec_e2e_00000001" };
      const running = await startConsole({
        STANNP_API_KEY: API_KEY,
        STANNP_BASE_URLS: `US=${provider.origin}/v1,Global=${provider.origin}/global/v1,Dash=${provider.origin}/api/v1`,
        // A call that a scenario holds is held for as long as the scenario needs.
        STANNP_TIMEOUT_MS: "30000",
        STANNP_WEBHOOK_SECRET: HOOK_SECRET,
        RECONCILE_INTERVAL_MS: "500",
        STRIPE_API_BASE: `http://127.0.0.1:${stripePort}`,
        STRIPE_SECRET_KEY: merchant.secretKey,
        STRIPE_WEBHOOK_SECRET: merchant.webhookSecret,
        OAUTH_ISSUER: issuer,
        OAUTH_CLIENT_ID: client.clientId,
        OAUTH_CLIENT_SECRET: client.clientSecret,
        ...(database === "embedded" ? { MAILROOM_DATABASE_URL: newEmbedded() } : {}),
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
        ...variables,
      });
      const identity = await startIdentity({
        ...client,
        users: PEOPLE,
        port: identityPort,
        redirectUris: [`${running.origin}/api/auth/callback`],
      });
      const webhookUrl = `${running.origin}/api/stripe/webhook`;
      const stripe = await startStripe({ ...merchant, port: stripePort, webhookUrl, laterMs: 1_000 });
      await use({ ...running, provider: leaveOutBackground(provider), stripe, databaseUrl });
      await running.stop();
      await Promise.all([stripe.close(), provider.close(), identity.close(), postgres?.close()]);
      expect(running.errors).toEqual([]);
    },
    { scope: "worker" },
  ],

  baseURL: async ({ mailroom }, use) => use(mailroom.origin),

  expectedErrors: [null, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its pattern
  newcomer: async ({}, use) => {
    const subject = `newcomer-${PEOPLE.length}`;
    const name = `Newcomer ${PEOPLE.length}`;
    const claims = { name, email: `${subject}@example.com`, email_verified: true };
    PEOPLE.push({ subject, label: name, claims });
    await use({ name, userId: `auth-${subject}` });
  },

  request: async ({ request }, use) => {
    repeatWhatWasReset(request);
    await use(request);
  },

  // An error in the browser's console or an error line of the server fails the test.
  page: async ({ page, mailroom, expectedErrors }, use) => {
    const seen: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") seen.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => seen.push(String(error)));
    const logged = mailroom.output.length;
    repeatWhatWasReset(page.request);
    await use(page);
    // Remix says so of data that a newer navigation did not wait for.
    const told = seen.filter((text) => !text.startsWith("AbortError: signal is aborted without reason"));
    const lines = mailroom.output.slice(logged).filter((line) => /"level":(50|60)/.test(line));
    expect([...told, ...lines].filter((text) => !expectedErrors?.test(text))).toEqual([]);
  },
});

/**
 * A connection that was kept may be closed by the console, which need not keep it, in the moment in which it is used
 * again: browsers then ask anew, and so does a test.
 */
function repeatWhatWasReset(request: APIRequestContext): void {
  const fetch = request.fetch.bind(request);
  request.fetch = (address, options) => fetch(address, { maxRetries: 3, ...options });
}

/** What the console asks by itself, for its header, may come at any moment between a test's own calls. */
function leaveOutBackground(provider: MailProvider): MailProvider {
  const get = () =>
    provider.received.filter(({ headers }) => headers["user-agent"] !== "Mailroom, in the background");
  return Object.create(provider, { received: { get } });
}

export { expect };
