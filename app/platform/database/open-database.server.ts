import { setTimeout as wait } from "node:timers/promises";
import type { PrismaClient } from "../../../prisma/client/client";
import type { DatabaseTarget } from "../env.server";
import { errorNameOf, log } from "../log.server";
import { type Failed, type Failure, fail, isFailed, type Outcome, succeed } from "../outcome";
import { type Connection, DatabaseGoneError } from "./client";
import { openEmbedded } from "./embedded.server";
import { applyMigrations } from "./migrations.server";
import {
  classifyOpeningError,
  findOutage,
  isConflict,
  isNotPrepared,
  isUnstorable,
  type Outage,
} from "./outage.server";
import { connectPostgres } from "./postgres.server";

export interface DatabaseSettings {
  /** Name of this process for one that finds the embedded database locked: "the console". */
  use: string;
  /** Serves the open embedded database to Prisma Studio; for development. */
  shared: boolean;
  /** A replica is not migrated. */
  isReplica?: true;
  /** How long a server may take to answer that it is alive. */
  probeMs?: number;
}

/** A database that is opened at its first use and again after each outage. */
export interface Database {
  /** See `withDatabase`. */
  run<T>(work: (db: PrismaClient) => Promise<T | Failed>): Promise<Outcome<T>>;
  /** Closes it permanently when running work has ended. */
  close(): Promise<void>;
}

const CONFLICT_RETRIES = 3;
const CONFLICT_WAIT_MS = 40;
/** After an outage as slow as this, further work fails at once for `OUTAGE_MEMORY_MS`. */
const SLOW_OUTAGE_MS = 500;
const OUTAGE_MEMORY_MS = 1_000;
const CLOSE_WAIT_MS = 5_000;

const NOT_CONFIGURED = fail(
  "not_configured",
  "Database connection not available",
  "Set one of MAILROOM_DATABASE_URL, POSTGRES_URL or DATABASE_URL and start the console again. Tables are created on first save.",
);
const UNSTORABLE = fail(
  "bad_input",
  "The request holds a NUL character, which no text here can have. Nothing was changed.",
);
const CLOSED = fail(
  "database_unavailable",
  "The console is stopping. Nothing was changed; try again in a moment.",
);

/** Creates a database; the first `run` opens it. Commands and tests have their own. */
export function openDatabase(target: DatabaseTarget, settings: DatabaseSettings): Database {
  let current: Connection | undefined;
  /** The connection with migrated tables; cleared by an outage. */
  let ready: Promise<Connection> | undefined;
  let outage: { failure: Failure; until: number } | undefined;
  let closed = false;
  const underWay = new Set<Promise<unknown>>();

  async function prepare(): Promise<Connection> {
    const connection = current ?? (await connect(target, settings));
    current = connection;
    if (settings.isReplica) return connection;
    await connection.guard(
      connection.withSession(async (session) => {
        for (const name of await applyMigrations(session)) log.info("database.migrated", { migration: name });
      }),
    );
    return connection;
  }

  /** Closes a lost connection. A pool reconnects automatically, so it is replaced only when its server does not answer. */
  function closeIfGone(error: unknown): void {
    if (!current || (target.kind === "postgres" && !(error instanceof DatabaseGoneError))) return;
    void end(current, true);
    current = undefined;
  }

  function report({ failure, lost }: Outage, startedAt: number): Failed {
    if (outage?.failure.details !== failure.details) {
      log.warn("database.unavailable", failure.details === undefined ? {} : { reason: failure.details });
    }
    // A cancelled statement does not mark the database as down.
    const hangs = lost && performance.now() - startedAt > SLOW_OUTAGE_MS;
    outage = { failure, until: hangs ? performance.now() + OUTAGE_MEMORY_MS : (outage?.until ?? 0) };
    return { ok: false, failure };
  }

  async function attempt<T>(work: (db: PrismaClient) => Promise<T | Failed>): Promise<Outcome<T>> {
    const startedAt = performance.now();
    ready ??= prepare();
    const mine = ready;
    let connection: Connection;
    try {
      connection = await mine;
    } catch (error) {
      if (ready === mine) {
        ready = undefined;
        closeIfGone(error);
        log.warn("database.opening_failed", { errorName: errorNameOf(error) });
      }
      return report(classifyOpeningError(error), startedAt);
    }
    try {
      const value = await repeatOnConflict(connection, work);
      if (outage) log.info("database.available_again");
      outage = undefined;
      return isFailed(value) ? value : succeed(value);
    } catch (error) {
      if (isUnstorable(error)) return UNSTORABLE;
      const found = findOutage(error);
      if (!found) throw error;
      if (found.lost && ready === mine) {
        ready = undefined;
        closeIfGone(error);
      }
      return report(found, startedAt);
    }
  }

  return {
    async run(work) {
      if (target.kind === "none") return NOT_CONFIGURED;
      if (closed) return CLOSED;
      if (outage && performance.now() < outage.until) return { ok: false, failure: outage.failure };
      const running = attempt(work);
      underWay.add(running);
      try {
        return await running;
      } finally {
        underWay.delete(running);
      }
    },
    async close() {
      closed = true;
      await Promise.race([Promise.allSettled(underWay), wait(CLOSE_WAIT_MS, undefined, { ref: false })]);
      await ready?.catch(() => undefined);
      if (current) await end(current, false);
      current = undefined;
    },
  };
}

async function connect(target: DatabaseTarget, settings: DatabaseSettings): Promise<Connection> {
  if (target.kind === "postgres") return connectPostgres(target.url, target.single, settings.probeMs);
  return openEmbedded(target.kind === "embedded" ? target.folder : "memory", settings);
}

async function end(connection: Connection, abrupt: boolean): Promise<void> {
  try {
    await connection.close(abrupt);
  } catch (error) {
    log.warn("database.closing_failed", { errorName: errorNameOf(error) });
  }
}

/** Retries work that conflicted with another transaction, or whose prepared statement is gone. */
async function repeatOnConflict<T>(
  connection: Connection,
  work: (db: PrismaClient) => Promise<T>,
): Promise<T> {
  for (let retry = 1; ; retry++) {
    try {
      return await connection.guard(work(connection.client));
    } catch (error) {
      const notPrepared = isNotPrepared(error);
      if (retry > CONFLICT_RETRIES || !(notPrepared || isConflict(error))) throw error;
      if (notPrepared) connection.stopPreparing?.();
      await wait(Math.random() * CONFLICT_WAIT_MS * retry);
    }
  }
}
