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

/** Trigram, partial and expression indexes are left out: the Prisma schema cannot express them. */
const INDEXES = `
  SELECT c.relname AS table_name, i.indisprimary AS is_primary, i.indisunique AS is_unique,
         array_to_string(ARRAY(
           SELECT a.attname FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
           JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number ORDER BY k.place), ', ') AS columns
  FROM pg_index i
  JOIN pg_class c ON c.oid = i.indrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
  JOIN pg_class x ON x.oid = i.indexrelid
  JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
  WHERE i.indpred IS NULL AND i.indexprs IS NULL AND c.relname <> '_prisma_migrations'`;

const FOREIGN_KEYS = `
  SELECT c.conrelid::regclass::text AS table_name, pg_get_constraintdef(c.oid) AS definition
  FROM pg_constraint c
  JOIN pg_namespace n ON n.oid = c.connamespace AND n.nspname = 'public'
  WHERE c.contype = 'f'`;

interface ColumnRow {
  table_name: string;
  column_name: string;
  type: string;
  not_null: boolean;
  default_value: string | null;
}
interface IndexRow {
  table_name: string;
  is_primary: boolean;
  is_unique: boolean;
  columns: string;
}
interface ForeignKeyRow {
  table_name: string;
  definition: string;
}

/** The tables in the database, without Prisma's own. */
export async function readDatabaseShape(db: PrismaClient): Promise<Record<string, TableShape>> {
  const columns = await db.$queryRawUnsafe<ColumnRow[]>(COLUMNS);
  const indexes = await db.$queryRawUnsafe<IndexRow[]>(INDEXES);
  const foreignKeys = await db.$queryRawUnsafe<ForeignKeyRow[]>(FOREIGN_KEYS);
  const tables = [...new Set(columns.map((row) => row.table_name))];
  return Object.fromEntries(
    tables.map((table) => {
      const of = <T extends { table_name: string }>(rows: T[]) =>
        rows.filter((row) => row.table_name === table);
      return [
        table,
        {
          columns: Object.fromEntries(of(columns).map((row) => [row.column_name, describeColumn(row)])),
          primaryKey:
            of(indexes)
              .find((row) => row.is_primary)
              ?.columns.split(", ") ?? [],
          rules: [
            ...of(indexes)
              .filter((row) => !row.is_primary)
              .map((row) => `${row.is_unique ? "unique" : "index"}(${row.columns})`),
            ...of(foreignKeys).map((row) => describeForeignKey(row.definition)),
          ].sort(),
        },
      ];
    }),
  );
}

function describeColumn({ type, not_null, default_value }: ColumnRow): string {
  const value = default_value?.replace(/::[\w ]+$/, "").replace(/^nextval\(.*/, "nextval");
  return `${type} ${not_null ? "not null" : "null"}${value === undefined ? "" : ` default ${value}`}`;
}

function describeForeignKey(definition: string): string {
  const [, own, table, theirs] = /FOREIGN KEY \((.+?)\) REFERENCES (.+?)\((.+?)\)/.exec(definition) ?? [];
  const rule = /ON DELETE (CASCADE|RESTRICT|SET NULL)/.exec(definition)?.[1] ?? "NO ACTION";
  return `${own} -> ${table}(${theirs}) on delete ${rule.toLowerCase()}`;
}
