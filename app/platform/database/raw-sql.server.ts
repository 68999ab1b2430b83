import pg from "pg";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";

type RawSql = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
type Values = readonly unknown[];

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
      // Bound to the client itself, so that transactions use Prisma's own SQL.
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

/** Writes times in UTC, because `pg` would use the time zone of this process. */
function toValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
