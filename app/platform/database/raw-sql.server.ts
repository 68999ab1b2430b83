import pg from "pg";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";

type RawSql = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
type Values = readonly unknown[];

const { builtins } = pg.types;
/** PostgreSQL writes a time of our sessions, which are in UTC, as `2026-11-23 17:05:05.336+00`. */
const parseTime = (text: string) => new Date(`${text.slice(0, 10)}T${text.slice(11).replace(/\+00$/, "")}Z`);
const parseBytes: (text: string) => Buffer = pg.types.getTypeParser(builtins.BYTEA);
/** As Prisma gives them; `pg` has the same for all others. */
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
 * A client whose SQL goes straight to the pool, outside of transactions: Prisma writes the values of each statement as
 * JSON, reads them again and interprets a plan of one step, which costs as much as the rest of a short statement. Results
 * are the same; errors are those of `pg`.
 * @param findName under which a connection keeps the statement; empty: it is not kept
 */
export function sendRawSqlDirectly(
  client: PrismaClient,
  pool: pg.Pool,
  findName: (sql: string) => string,
): PrismaClient {
  const send = (sql: TemplateStringsArray | Prisma.Sql, values: Values) => {
    const { text, values: given } = "raw" in sql ? Prisma.sql(sql, ...values) : sql;
    return pool.query({ name: findName(text), text, values: given.map(toValue), types });
  };
  const direct: Record<keyof RawSql, (sql: TemplateStringsArray | Prisma.Sql, ...values: Values) => unknown> =
    {
      $queryRaw: async (sql, ...values) => (await send(sql, values)).rows,
      $executeRaw: async (sql, ...values) => (await send(sql, values)).rowCount ?? 0,
    };
  return new Proxy(client, {
    get(target, name) {
      if (name === "$queryRaw" || name === "$executeRaw") return direct[name];
      const own: unknown = Reflect.get(target, name, target);
      // Called on the client itself, so that a transaction has Prisma's own SQL, which is sent within it.
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

/** `pg` would write a time in the zone of this process. */
function toValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
