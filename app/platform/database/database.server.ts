import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";
import { env } from "../env.server";
import { errorNameOf, log } from "../log.server";
import { type Failed, fail, type Outcome } from "../outcome";
import { MINUTE_MS } from "../time";
import { TRANSACTION_LIMITS } from "./client";
import { type Database, openDatabase } from "./open-database.server";

const CATCH_UP_MS = 1_000;
const CATCH_UP_STEP_MS = 50;

const NOT_STORED = fail(
  "database_unavailable",
  "The database refused to store the outcome of this call. Check whether the change was made before you try again.",
  "It answered with an error.",
);

/**
 * Runs `work` on the database and returns its value, or its failure when it returns one; a transaction in it is then
 * committed as for a value. The first use creates or migrates the tables.
 *
 * Fails with `not_configured`; with `database_unavailable` during an outage (see `findOutage`), within three seconds even
 * when the server hangs; and with `bad_input` for a text with a NUL. Any other error, such as a unique violation, is
 * thrown as Prisma or `pg` throws it.
 *
 * `work` runs up to four times, because conflicts with another transaction (40001, 40P01) are retried, so several changes
 * belong in one transaction. A transaction uses only its own client: another one would wait forever on the embedded
 * database, which has one connection.
 */
export function withDatabase<T>(work: (db: PrismaClient) => Promise<T | Failed>): Promise<Outcome<T>> {
  const replica = replicaInUse.getStore();
  if (!replica) return configuredDatabase().run(work);
  // Falls back to the primary.
  return tryReplica(replica, work).then((answer) => answer ?? configuredDatabase().run(work));
}

/**
 * Stores the outcome of a call that cannot be undone, like {@link withDatabase}. Errors of the database, such as a violated
 * constraint, are failures and never thrown, because the caller must still report the call's outcome.
 */
export async function storeAfterCall<T>(work: (db: PrismaClient) => Promise<T>): Promise<Outcome<T>> {
  try {
    return await withDatabase(work);
  } catch (error) {
    log.error("database.store_failed", { errorName: errorNameOf(error) });
    return NOT_STORED;
  }
}

/** Runs a query of whole tables with a limit of 30 minutes in place of the limit of a page's statements. */
export function readLong<T>(db: PrismaClient, query: Prisma.Sql): Promise<T[]> {
  const timeout = 30 * MINUTE_MS;
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = ${Prisma.raw(String(timeout))}`;
      return tx.$queryRaw<T[]>(query);
    },
    { ...TRANSACTION_LIMITS, timeout },
  );
}

/** Runs `read`, a large read, on the replica when one is configured and has caught up with the primary. */
export async function readFromReplica<T>(read: () => Promise<T>): Promise<T> {
  return replicaInUse.run(await findReplica(), read);
}

/** {@link readFromReplica} for a generator. */
export async function* readPartsFromReplica<T>(parts: AsyncGenerator<T>): AsyncGenerator<T> {
  const replica = await findReplica();
  try {
    for (;;) {
      const part = await replicaInUse.run(replica, () => parts.next());
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await parts.return(undefined);
  }
}

/** Checks that the configured database answers. Fails as {@link withDatabase} does. */
export function pingDatabase(): Promise<Outcome<unknown>> {
  return withDatabase((db) => db.$queryRaw`SELECT 1`);
}

/**
 * Waits for running work, disconnects and unlocks the embedded folder. In development the database can be opened again,
 * because Vite restarts its server within the process.
 */
export async function closeDatabase(): Promise<void> {
  await shared.mailroomReplica?.close();
  await shared.mailroomDatabase?.close();
  if (env().production) return;
  shared.mailroomReplica = undefined;
  shared.mailroomDatabase = undefined;
}

/** On `globalThis`, because a module loaded again in development must not open the folder a second time. */
const shared = globalThis as typeof globalThis & { mailroomDatabase?: Database; mailroomReplica?: Database };
const replicaInUse = new AsyncLocalStorage<Database | null>();

function configuredDatabase(): Database {
  const { database, production } = env();
  shared.mailroomDatabase ??= openDatabase(database, { use: "the console", shared: !production });
  return shared.mailroomDatabase;
}

/** Waits until the replica has everything that the primary has now; null without a replica, or when it stays behind. */
async function findReplica(): Promise<Database | null> {
  const { replicaUrl } = env();
  if (replicaUrl === null) return null;
  shared.mailroomReplica ??= openDatabase(
    { kind: "postgres", url: replicaUrl },
    { use: "the console", shared: false, isReplica: true },
  );
  const replica = shared.mailroomReplica;
  const written = await configuredDatabase().run(
    (db) => db.$queryRaw<{ position: string }[]>`SELECT pg_current_wal_flush_lsn()::text AS position`,
  );
  const position = written.ok ? written.value[0]?.position : undefined;
  for (let waited = 0; position && waited <= CATCH_UP_MS; waited += CATCH_UP_STEP_MS) {
    const arrived = await tryReplica(
      replica,
      (db) => db.$queryRaw<{ here: boolean }[]>`
        SELECT coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false) AS here`,
    );
    if (!arrived) return null;
    if (arrived.value[0]?.here) return replica;
    await wait(CATCH_UP_STEP_MS);
  }
  log.warn("database.replica_behind");
  return null;
}

async function tryReplica<T>(
  replica: Database,
  work: (db: PrismaClient) => Promise<T | Failed>,
): Promise<{ ok: true; value: T } | null> {
  try {
    const answer = await replica.run(work);
    return answer.ok ? answer : null;
  } catch (error) {
    log.warn("database.replica_failed", { errorName: errorNameOf(error) });
    return null;
  }
}
