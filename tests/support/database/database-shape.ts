import { readFileSync } from "node:fs";
import { applyMigrations, listMigrations, type SqlSession } from "~/platform/database/migrations.server";
import type { PrismaClient } from "../../../prisma/client/client";
import type { TableShape } from "./prisma-schema";

const COLUMNS = `
  SELECT c.relname AS table_name, a.attname AS column_name, format_type(a.atttypid, a.atttypmod) AS type,
         a.attnotnull AS not_null, pg_get_expr(d.adbin, d.adrelid) AS default_value
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'`;

interface ColumnRow {
  table_name: string;
  column_name: string;
  type: string;
  not_null: boolean;
  default_value: string | null;
}

/** The tables in the database, without Prisma's own. */
export async function readDatabaseShape(db: PrismaClient): Promise<Record<string, TableShape>> {
  const tables: Record<string, TableShape> = {};
  for (const row of await db.$queryRawUnsafe<ColumnRow[]>(COLUMNS)) {
    const { table_name, column_name, type, not_null, default_value } = row;
    const value = default_value?.replace(/::[\w ]+$/, "").replace(/^nextval\(.*/, "nextval");
    tables[table_name] ??= {};
    tables[table_name][column_name] =
      `${type} ${not_null ? "not null" : "null"}${value === undefined ? "" : ` default ${value}`}`;
  }
  return tables;
}

const OLD_VERSION = "20261122103000_tested_piece_keys";
/** Rows for each table of an older version. */
export const OLD_ROWS = readFileSync(new URL("rows-of-20261122103000.sql", import.meta.url), "utf8");

/** Creates the tables of that version; returns the applied migrations. */
export function createOldTables(session: SqlSession): Promise<string[]> {
  return applyMigrations(
    session,
    listMigrations().filter((name) => name <= OLD_VERSION),
  );
}
