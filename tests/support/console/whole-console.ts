import { startIdentity } from "../../emulators/identity";
import { DEFAULT_USERS, type IdentityUser } from "../../emulators/identity-users";
import { startMailProvider } from "../../emulators/mail-provider";
import { startStripe } from "../../emulators/stripe";
import { newEmbedded } from "../database/embedded";
import { startPostgres } from "../database/postgres";
import { findFreePort, startConsole } from "./console-process";

export type WholeConsole = Awaited<ReturnType<typeof startWholeConsole>>;

export interface WholeConsoleOptions {
  database?: "embedded" | "postgres" | "none";
  /** Environment variables that differ from those of other consoles. */
  variables?: Record<string, string>;
  /** The people that the identity provider can log in. */
  people?: IdentityUser[];
  /** The folder of the build. */
  folder?: string;
}

export const API_KEY = "e2e-key-7f3a+/=&9c";

export const HOOK_SECRET = "whook-e2e-00000001";

/** Starts the console in its own process, with its own database and emulators. */
export async function startWholeConsole({
  database = "postgres",
  variables = {},
  people = [...DEFAULT_USERS],
  folder,
}: WholeConsoleOptions) {
  const provider = await startMailProvider({
    apiKey: API_KEY,
    rateLimitPerMinute: 100_000,
    // Pieces keep their status: a slow machine must not move one into production during a test.
    statusStepMs: 0,
  });
  const postgres = database === "postgres" ? await startPostgres() : null;
  const databaseUrl = (await postgres?.createDatabase()) ?? null;
  const client = { clientId: "mailroom", clientSecret: "e2e-client-secret" };
  const identityPort = await findFreePort();
  const stripePort = await findFreePort();
  const merchant = { secretKey: "sk_test_e2e_51", webhookSecret: "whsec_e2e_00000001" };
  const running = await startConsole(
    {
      STANNP_API_KEY: API_KEY,
      STANNP_BASE_URLS: `US=${provider.origin}/v1,Global=${provider.origin}/global/v1,Dash=${provider.origin}/api/v1`,
      // High enough for calls that a test holds.
      STANNP_TIMEOUT_MS: "30000",
      STANNP_WEBHOOK_SECRET: HOOK_SECRET,
      STANNP_CURRENCY: "USD",
      STANNP_CONCURRENCY: "16",
      RECONCILE_INTERVAL_MS: "1000",
      STRIPE_API_BASE: `http://127.0.0.1:${stripePort}`,
      STRIPE_SECRET_KEY: merchant.secretKey,
      STRIPE_WEBHOOK_SECRET: merchant.webhookSecret,
      OAUTH_ISSUER: `http://127.0.0.1:${identityPort}`,
      OAUTH_CLIENT_ID: client.clientId,
      OAUTH_CLIENT_SECRET: client.clientSecret,
      ...(database === "embedded" ? { MAILROOM_DATABASE_URL: newEmbedded() } : {}),
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...variables,
    },
    folder,
  );
  const identity = await startIdentity({
    ...client,
    users: people,
    port: identityPort,
    redirectUris: [`${running.origin}/api/auth/callback`],
  });
  const webhookUrl = `${running.origin}/api/stripe/webhook`;
  const stripe = await startStripe({ ...merchant, port: stripePort, webhookUrl });
  return {
    ...running,
    provider,
    stripe,
    /** The console's PostgreSQL; null for another database. */
    databaseUrl,
    async close() {
      await running.stop();
      await Promise.all([stripe.close(), provider.close(), identity.close(), postgres?.close()]);
    },
  };
}
