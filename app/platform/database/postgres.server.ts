import { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../../../prisma/client/client";
import { log } from "../log.server";
import { type Connection, DatabaseGoneError, TRANSACTION_LIMITS } from "./connection.server";
import { createStatementNames } from "./prepared-statements.server";
import { sendRawSqlDirectly } from "./raw-sql.server";

const POOL_SIZE = 10;
const POOL_WAIT_MS = 10_000;
const IDLE_CONNECTION_MS = 30_000;
/** UTC, because the driver adapter sends and reads times without a zone. A pooler gives it to whatever connection it lends. */
const SESSION_SETTINGS = "SET TIME ZONE 'UTC'";
/**
 * Limits of a connection, given when it is opened: a pooler in transaction mode would leave them on the server's connections,
 * for others. It refuses them instead, and then they are those of the database's role.
 */
const LIMITS = "-c statement_timeout=20s -c idle_in_transaction_session_timeout=20s";
const REFUSED_BY_POOLER = "08P01";

/**
 * When an answer takes longer than this, a new connection checks whether the server still answers. Both times together
 * stay below the three seconds within which a caller is told that the database is out.
 */
const PATIENCE_MS = 900;
const PROBE_MS = 1_300;
/** Above this share of busy time the process itself is too busy to judge. */
const BUSY_SHARE = 0.9;

/**
 * A pool of connections to a PostgreSQL server; nothing is connected before it is needed.
 * @param single there is one session for all: no second connection is opened, not even to see whether the server answers
 */
export function connectPostgres(url: string, single = false): Connection {
  // Our own sockets, so that those of a server that went silent can be torn down.
  const sockets = new Set<Socket>();
  const { connectionString, asked } = splitOptions(url);
  const limited = asked === undefined ? LIMITS : `${LIMITS} ${asked}`;
  const settings: pg.ClientConfig = {
    connectionString,
    options: limited,
    application_name: "mailroom",
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    },
  };
  const pool = new pg.Pool({
    ...settings,
    max: single ? 1 : POOL_SIZE,
    connectionTimeoutMillis: POOL_WAIT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    onConnect: (client) => {
      // Between two uses of a connection neither the pool nor Prisma may listen: its loss must not end the process.
      client.on("error", () => undefined);
      return client.query(SESSION_SETTINGS);
    },
  });
  // Without a listener the loss of an idle connection would end the process. The pool has dropped it already.
  pool.on("error", (error) => log.warn("database.idle_connection_lost", { errorName: codeOf(error) }));
  const names = createStatementNames();
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => names.find(sql) }),
    transactionOptions: TRANSACTION_LIMITS,
  });
  const client = sendRawSqlDirectly(prisma, pool, names.find);

  /** The first connection of all is one of these: the pool then does as it did. */
  async function withClient<T>(limitMs: number, work: (session: pg.Client) => Promise<T>): Promise<T> {
    try {
      return await withOwnClient(limitMs, work);
    } catch (error) {
      if (codeOf(error) !== REFUSED_BY_POOLER || settings.options !== limited) throw error;
      log.info("database.limits_of_role");
      names.stop();
      settings.options = asked;
      pool.options.options = asked;
      return withOwnClient(limitMs, work);
    }
  }

  async function withOwnClient<T>(limitMs: number, work: (session: pg.Client) => Promise<T>): Promise<T> {
    const session = new pg.Client({ ...settings, connectionTimeoutMillis: limitMs });
    // The query that is running, or the next one, fails with the same error.
    session.on("error", () => undefined);
    try {
      await session.connect();
      return await work(session);
    } finally {
      await session.end();
    }
  }

  let probe: Promise<boolean> | undefined;
  function isAlive(): Promise<boolean> {
    const since = performance.eventLoopUtilization();
    probe ??= withClient(PROBE_MS, async () => true)
      .catch((error: unknown) => isAnswer(error) || isOverworked(since))
      .finally(() => {
        probe = undefined;
      });
    return probe;
  }

  async function guard<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let settled = false;
    const gone = new Promise<never>((_, reject) => {
      const look = async () => {
        if (!(await isAlive())) reject(new DatabaseGoneError("The database server does not answer."));
        else if (!settled) timer = setTimeout(look, PATIENCE_MS);
      };
      timer = setTimeout(look, PATIENCE_MS);
    });
    try {
      return await Promise.race([work, gone]);
    } finally {
      settled = true;
      clearTimeout(timer);
    }
  }

  return {
    client,
    guard: single ? (work) => work : guard,
    stopPreparing: names.stop,
    withSession: (work) =>
      withClient(POOL_WAIT_MS, (session) =>
        work({
          execute: async (sql) => {
            await session.query(sql);
          },
          select: async (sql) => (await session.query(sql)).rows,
          insert: async (sql, values) => {
            await session.query(sql, values);
          },
        }),
      ),
    close: async (abrupt) => {
      const ended = client.$disconnect().then(() => pool.end());
      if (abrupt) for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

/** Where to connect, and the options that the address itself asks for. */
function splitOptions(url: string): { connectionString: string; asked: string | undefined } {
  if (!/[?&]options=/.test(url)) return { connectionString: url, asked: undefined };
  const address = new URL(url);
  const asked = address.searchParams.get("options") ?? "";
  address.searchParams.delete("options");
  return { connectionString: address.href, asked };
}

/** A process that has no time to read answers cannot tell a server's silence from its own. */
function isOverworked(since: ReturnType<typeof performance.eventLoopUtilization>): boolean {
  return performance.eventLoopUtilization(since).utilization > BUSY_SHARE;
}

/** True when an error comes from a server that runs: "too many clients" does, "shutting down" does not. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== "57P03";
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
