import { afterAll, expect } from "vitest";
import type { PrismaClient } from "../../prisma/client/client";
import { startIdentity } from "../emulators/identity";
import type { MailConsole } from "./console/mail-console";
import type { PaymentConsole } from "./console/payment-console";
import { type Postgres, startPostgres } from "./database/postgres";
import type { BenchOptions, MoneyBench } from "./money/bench";

/** Opens what a whole test file uses, at its top; it is closed after the file's last test. */

async function close<T extends { close(): Promise<unknown> }>(opened: Promise<T>): Promise<T> {
  const one = await opened;
  afterAll(() => one.close());
  return one;
}

export const setUpPostgres = (options?: Parameters<typeof startPostgres>[0]): Promise<Postgres> =>
  close(startPostgres(options));

/** A bench on PostgreSQL. */
export async function setUpBench(options: Omit<BenchOptions, "postgres"> = {}): Promise<MoneyBench> {
  const { openBench } = await import("./money/bench");
  return close(openBench({ postgres: await setUpPostgres(), ...options }));
}

/**
 * A console in its own process with a database and a provider, and a function that starts another one on them. Neither
 * may have logged an error at the end.
 */
export async function setUpConsoles(variables: Record<string, string> = {}) {
  const { buildConsole } = await import("./console/console-build");
  const { startConsole } = await import("./console/console-process");
  const { MAIL_KEY } = await import("./console/mail-console");
  const { startMailProvider } = await import("../emulators/mail-provider");
  const options = { apiKey: MAIL_KEY, rateLimitPerMinute: 1_000_000, statusStepMs: 0 };
  const provider = await close(startMailProvider(options));
  const databaseUrl = await (await setUpPostgres()).createDatabase();
  const start = async () => {
    const started = await startConsole(
      {
        DATABASE_URL: databaseUrl,
        STANNP_API_KEY: MAIL_KEY,
        STANNP_BASE_URLS: `US=${provider.baseUrl}`,
        ...variables,
      },
      await buildConsole(),
    );
    afterAll(async () => {
      await started.stop();
      expect(started.output.filter((line) => line.includes('"level":50'))).toEqual([]);
    });
    return started;
  };
  return { provider, databaseUrl, app: await start(), start };
}

/** The identity provider, and the variables of a console that signs in with it. */
export async function setUpIdentity(options: Partial<Parameters<typeof startIdentity>[0]> = {}) {
  const origin = "http://localhost:3000";
  const client = { clientId: "mailroom", clientSecret: "secret" };
  const redirectUris = [`${origin}/api/auth/callback`];
  const identity = await close(startIdentity({ ...client, redirectUris, ...options }));
  const variables: Record<string, string> = {
    SESSION_SECRET: "first secret",
    OAUTH_ISSUER: identity.issuer,
    OAUTH_CLIENT_ID: client.clientId,
    OAUTH_CLIENT_SECRET: options.clientSecret ?? client.clientSecret,
  };
  return { identity, variables };
}

type MailParameters = Parameters<typeof import("./console/mail-console").startMailConsole>;
/** Not for a file that loads another console before its last test of this one. */
export const setUpMailConsole = async (...parameters: MailParameters): Promise<MailConsole> =>
  close((await import("./console/mail-console")).startMailConsole(...parameters));

type PaymentParameters = Parameters<typeof import("./console/payment-console").startPaymentConsole>;
/** The same for payments. */
export const setUpPaymentConsole = async (...parameters: PaymentParameters): Promise<PaymentConsole> =>
  close((await import("./console/payment-console")).startPaymentConsole(...parameters));

/**
 * Returns a function that runs work on a database, which is closed after the last test of the file or `describe`.
 */
export function setUpDatabase(url: string) {
  const opening = async () => {
    const { openDatabase } = await import("~/platform/database/open-database.server");
    const { parseEnvironment } = await import("~/platform/env.server");
    const { database } = parseEnvironment({ DATABASE_URL: url });
    return openDatabase(database, { use: "a test", shared: false });
  };
  let opened: ReturnType<typeof opening> | undefined;
  afterAll(async () => (await opened)?.close());
  return async <T>(work: (db: PrismaClient) => Promise<T>): Promise<T> => {
    opened ??= opening();
    const done = await (await opened).run(work);
    if (!done.ok) throw new Error(done.failure.details ?? done.failure.message);
    return done.value;
  };
}
