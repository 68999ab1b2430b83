import { vi } from "vitest";
import type { Database } from "~/platform/database/database.server";
import type { PrismaClient } from "../../../prisma/client/client";
import { CookieJar } from "./cookie-jar";
import { NO_LIMITS } from "./no-limits";

/** Forgets the console's modules, its database and its environment: what is loaded next has these variables alone. */
export async function loadEnvironment(variables: Record<string, string | undefined>): Promise<void> {
  // The database outlives its module on purpose, for reloads in development.
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
    if (
      /^(OAUTH_|STANNP_|STRIPE_|APP_ORIGIN|SESSION_SECRET|NODE_ENV|.*(DATABASE|POSTGRES)_URL|PORT$)/.test(
        name,
      )
    ) {
      vi.stubEnv(name, undefined);
    }
  }
  const all = { LOG_LEVEL: "silent", ...NO_LIMITS, ...variables };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
}

/** The cookies of a person who is signed in at the console that was loaded last. */
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
