import { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "../../../prisma/client/client";
import { sha256 } from "../hash.server";
import { log } from "../log.server";
import { type Connection, DatabaseGoneError, TRANSACTION_LIMITS } from "./client";

const POOL_SIZE = 10;
const POOL_WAIT_MS = 10_000;
const IDLE_CONNECTION_MS = 30_000;
/** UTC, because the driver adapter sends and reads times without a zone. */
const SESSION_SETTINGS = "SET TIME ZONE 'UTC'";
/** Limits set when a connection opens. A pooler in transaction mode refuses them, so that the role's own limits apply. */
const LIMITS = "-c statement_timeout=20s -c idle_in_transaction_session_timeout=20s";
const REFUSED_BY_POOLER = "08P01";

/** Time after which a new connection checks if the server answers; with `PROBE_MS` below three seconds. */
const PATIENCE_MS = 900;
const PROBE_MS = 1_300;
/** Limit of that check in a command, where no one waits for a page: a busy server may answer late. */
export const COMMAND_PROBE_MS = 15_000;
const BUSY_SHARE = 0.9;

const WRITES = /\b(?:INSERT INTO|DELETE FROM|UPDATE\s+[\w."]+(?:\s+\w+)?\s+SET)\b/;
/** Prepares only statements that repeat. */
const USES_BEFORE = 3;
const MOST_NAMES = 200;
const MOST_COUNTED = 2_000;

/**
 * Creates a pool of connections to a PostgreSQL server. The first use connects.
 * @param single uses one session for everything: no second connection is opened, not even to see if the server answers
 * @param probeMs how long the server may take to answer that it is alive
 */
export function connectPostgres(url: string, single = false, probeMs = PROBE_MS): Connection {
  // Tracked, so that the sockets of a server that stopped answering can be destroyed.
  const sockets = new Set<Socket>();
  const { connectionString, ownOptions } = splitOptions(url);
  const limited = ownOptions === undefined ? LIMITS : `${LIMITS} ${ownOptions}`;
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
      // Keeps the loss of a connection that neither the pool nor Prisma listens to from ending the process.
      client.on("error", () => undefined);
      return client.query(SESSION_SETTINGS);
    },
  });
  // Keeps the loss of an idle connection from ending the process. The pool has removed it already.
  pool.on("error", (error) => log.warn("database.idle_connection_lost", { errorName: codeOf(error) }));
  const names = createStatementNames();
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => names.find(sql) }),
    transactionOptions: TRANSACTION_LIMITS,
  });
  const client = sendRawSqlDirectly(prisma, pool, names.find);

  /** Drops the limits for all later connections when a pooler refuses them. */
  async function withClient<T>(limitMs: number, work: (session: pg.Client) => Promise<T>): Promise<T> {
    try {
      return await withOwnClient(limitMs, work);
    } catch (error) {
      if (codeOf(error) !== REFUSED_BY_POOLER || settings.options !== limited) throw error;
      log.info("database.limits_of_role");
      names.stop();
      settings.options = ownOptions;
      pool.options.options = ownOptions;
      return withOwnClient(limitMs, work);
    }
  }

  async function withOwnClient<T>(limitMs: number, work: (session: pg.Client) => Promise<T>): Promise<T> {
    const session = new pg.Client({ ...settings, connectionTimeoutMillis: limitMs });
    // The current or next query fails with the same error.
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
    // A process that is too busy to read answers cannot tell.
    const isOverworked = () => performance.eventLoopUtilization(since).utilization > BUSY_SHARE;
    probe ??= withClient(probeMs, async () => true)
      .catch((error: unknown) => isAnswer(error) || isOverworked())
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
          // Several statements return a list of results.
          query: async (sql, values) => [await session.query(sql, values)].flat().at(-1)?.rows ?? [],
        }),
      ),
    close: async (abrupt) => {
      const ended = client.$disconnect().then(() => pool.end());
      if (abrupt) for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

/**
 * Names the prepared statements of the pool. Statements that write find their rows by key, so that one plan suits all values,
 * and planning is half of the database's time for a live send. Statements that read are planned each time, because the best
 * plan depends on the values.
 */
function createStatementNames() {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  let stopped = false;
  return {
    /** Returns the name of a prepared statement, or "" to plan it each time. */
    find(sql: string): string {
      if (stopped || !WRITES.test(sql)) return "";
      const known = names.get(sql);
      if (known !== undefined) return known;
      const used = (uses.get(sql) ?? 0) + 1;
      if (uses.size >= MOST_COUNTED) uses.clear();
      uses.set(sql, used);
      if (used <= USES_BEFORE || names.size >= MOST_NAMES) return "";
      // The same in every process, because processes may share the connections of a pooler.
      const name = `mailroom_${sha256(sql).slice(0, 24)}`;
      names.set(sql, name);
      uses.delete(sql);
      return name;
    },
    stop() {
      stopped = true;
    },
  };
}

function splitOptions(url: string): { connectionString: string; ownOptions: string | undefined } {
  if (!/[?&]options=/.test(url)) return { connectionString: url, ownOptions: undefined };
  const address = new URL(url);
  const ownOptions = address.searchParams.get("options") ?? "";
  address.searchParams.delete("options");
  return { connectionString: address.href, ownOptions };
}

/** True for an error of a running server: "too many clients", but not "shutting down". */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== "57P03";
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

type Sql = TemplateStringsArray | Prisma.Sql;

const { builtins } = pg.types;
/** Parses `2026-11-23 17:05:05.336+00`, as PostgreSQL writes times in our UTC sessions. */
const parseTime = (text: string) => new Date(`${text.slice(0, 10)}T${text.slice(11).replace(/\+00$/, "")}Z`);
const parseBytes: (text: string) => Buffer = pg.types.getTypeParser(builtins.BYTEA);
/** Types that `pg` parses differently from Prisma. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, (text) => new Prisma.Decimal(text)],
  [builtins.TIMESTAMP, parseTime],
  [builtins.TIMESTAMPTZ, parseTime],
  [builtins.DATE, (text) => new Date(text)],
  [builtins.BYTEA, (text) => Uint8Array.from(parseBytes(text))],
]);
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format ?? "text"),
} as pg.CustomTypesConfig;

/**
 * Sends the client's SQL outside of transactions directly to the pool. Prisma would convert the values to JSON and back and
 * interpret a plan, which doubles the time of a short statement. Results are the same; errors are those of `pg`.
 * @param findName names a prepared statement; "" prepares none
 */
function sendRawSqlDirectly(
  client: PrismaClient,
  pool: pg.Pool,
  findName: (sql: string) => string,
): PrismaClient {
  const send = (sql: Sql, parts: unknown[]) => {
    const { text, values } = "raw" in sql ? Prisma.sql(sql, ...parts) : sql;
    return pool.query({ name: findName(text), text, values: values.map(toValue), types });
  };
  const direct = {
    $queryRaw: async (sql: Sql, ...parts: unknown[]) => (await send(sql, parts)).rows,
    $executeRaw: async (sql: Sql, ...parts: unknown[]) => (await send(sql, parts)).rowCount ?? 0,
  };
  return new Proxy(client, {
    get(target, name) {
      if (name === "$queryRaw" || name === "$executeRaw") return direct[name];
      const own: unknown = Reflect.get(target, name, target);
      // Bound to the client itself, so that transactions use Prisma's own SQL.
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

/** Writes times in UTC, because `pg` would use the time zone of this process. */
function toValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
