import { vi } from "vitest";
import type { Database } from "~/platform/database/open-database.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { NO_LIMITS } from "./console-process";
import { CookieJar } from "./cookie-jar";

const OURS = /^(OAUTH_|STANNP_|STRIPE_|APP_ORIGIN|SESSION_SECRET|NODE_ENV|.*(DATABASE|POSTGRES)_URL|PORT$)/;

/**
 * Drops the console's modules, database and environment: modules loaded afterwards have only these variables. Call it right
 * before the first use of a database: delayed writes of the file before may have opened its own again.
 */
export async function loadEnvironment(variables: Record<string, string | undefined>): Promise<void> {
  // The database survives a reload of its module on purpose, for development.
  const shared = globalThis as typeof globalThis & {
    mailroomDatabase?: Database;
    mailroomReplica?: Database;
  };
  await shared.mailroomReplica?.close();
  delete shared.mailroomReplica;
  await shared.mailroomDatabase?.close();
  delete shared.mailroomDatabase;
  vi.resetModules();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) {
    if (OURS.test(name)) vi.stubEnv(name, undefined);
  }
  const all = { LOG_LEVEL: "silent", ...NO_LIMITS, ...variables };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
}

/** The session cookies of a signed-in person at the console that was loaded last. */
export async function openSession(subject: string, name: string): Promise<CookieJar> {
  const { startSession } = await import("~/platform/http/session.server");
  const jar = new CookieJar();
  const email = `${subject}@example.com`;
  jar.keepLine(
    await startSession({
      ...{ subject, name, email, emailVerified: true, picture: null },
      ...{ groups: [], signedInAt: Date.now() },
    }),
  );
  return jar;
}

/** Runs work on the database of the console that was loaded last. */
export async function inDatabase<T>(work: (db: PrismaClient) => Promise<T>): Promise<T> {
  const { withDatabase } = await import("~/platform/database/database.server");
  const done = await withDatabase(work);
  if (!done.ok) throw new Error(done.failure.details ?? done.failure.message);
  return done.value;
}

/** Changes rows of that database by a statement. */
export function sql(statement: TemplateStringsArray, ...values: unknown[]): Promise<number> {
  return inDatabase((db) => db.$executeRaw(statement, ...values));
}

/** The problems that `verify-ledger` finds in that database. */
export async function findErrors(): Promise<string[]> {
  const { verifyLedger } = await import("~/credits/ledger/verify-ledger.server");
  const findings = await inDatabase((client) => verifyLedger(client));
  return findings.flatMap(({ id, problems }) => problems.map((problem) => `${id}: ${problem}`));
}
