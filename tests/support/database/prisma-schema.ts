import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The columns of a table by name (type, "not null" or "null", default) in `schema.prisma` or in the database. Keys
 * and indexes are the migrations' own: the client uses only the columns.
 */
export type TableShape = Record<string, string>;

const TYPES: Record<string, string> = {
  String: "text",
  Boolean: "boolean",
  Int: "integer",
  BigInt: "bigint",
  Json: "jsonb",
  Bytes: "bytea",
};
/** Types with `@db`; `$` is their size. */
const NATIVE_TYPES: Record<string, string> = {
  Timestamptz: "timestamp$ with time zone",
  Decimal: "numeric$",
};
const FIELD = /^ {2}(\w+)\s+(\w+)(\[\])?(\?)?[ \t]*(.*)$/gm;

/** Parses the tables of `prisma/schema.prisma`. @throws Error for Prisma syntax that it does not know */
export function readPrismaSchema(): Record<string, TableShape> {
  const path = fileURLToPath(new URL("../../../prisma/schema.prisma", import.meta.url));
  const text = readFileSync(path, "utf8").replace(/\/\/.*$/gm, "");
  const models = [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)];
  const names = models.map(([, name]) => name);
  return Object.fromEntries(
    models.map(([, name = "", body = ""]) => {
      const stored = [...body.matchAll(FIELD)].filter(([, , type]) => !names.includes(type));
      return [findName(body, "@@map") ?? name, Object.fromEntries(stored.map(describeField))];
    }),
  );
}

function findName(attributes: string, map: "@map" | "@@map"): string | undefined {
  return new RegExp(`${map}\\("(.+?)"\\)`).exec(attributes)?.[1];
}

function describeField([, name = "", type = "", list, optional, attributes = ""]: RegExpMatchArray) {
  const [, native, size = ""] = /@db\.(\w+)(\(.*?\))?/.exec(attributes) ?? [];
  const plain = native ? NATIVE_TYPES[native]?.replace("$", size.replaceAll(" ", "")) : TYPES[type];
  if (!plain) throw new Error(`Teach this reader the type of ${name}: ${type} ${attributes}`);
  const column = `${plain}${list ?? ""} ${optional ? "null" : "not null"}${describeDefault(attributes)}`;
  return [findName(attributes, "@map") ?? name, column] as const;
}

function describeDefault(attributes: string): string {
  const [, value] = /@default\((.*?)\)(?: |$)/.exec(attributes) ?? [];
  if (value === undefined) return "";
  if (value === "now()") return " default CURRENT_TIMESTAMP";
  if (value === "autoincrement()") return " default nextval";
  if (value === "[]") return " default '{}'::text[]";
  return ` default ${value.replaceAll('"', "'")}`;
}
