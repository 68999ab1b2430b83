import { afterAll } from "vitest";
import type { PrismaClient } from "../../prisma/client/client";
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

type MailParameters = Parameters<typeof import("./console/mail-console").startMailConsole>;
/** Not for a file that loads another console before its last test of this one. */
export async function setUpMailConsole(...parameters: MailParameters): Promise<MailConsole> {
  const { startMailConsole } = await import("./console/mail-console");
  return close(startMailConsole(...parameters));
}

type PaymentParameters = Parameters<typeof import("./console/payment-console").startPaymentConsole>;
/** The same for payments. */
export async function setUpPaymentConsole(...parameters: PaymentParameters): Promise<PaymentConsole> {
  const { startPaymentConsole } = await import("./console/payment-console");
  return close(startPaymentConsole(...parameters));
}

/**
 * Returns a function that runs work on a database, which is closed after the last test of the file or `describe`.
 */
export function setUpDatabase(url: string) {
  const opening = async () => {
    const { openDatabase } = await import("~/platform/database/database.server");
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
