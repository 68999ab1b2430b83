import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A table as described by `schema.prisma` or by the database, in one notation, so that the two can be compared. */
export interface TableShape {
  /** The columns by name: type, "not null" or "null", default. */
  columns: Record<string, string>;
  primaryKey: string[];
  /** `unique(a, b)`, `index(a)`, `a -> other(id) on delete cascade`, sorted. */
  rules: string[];
}

const TYPES: Record<string, string> = {
  String: "text",
  Boolean: "boolean",
  Int: "integer",
  BigInt: "bigint",
  Float: "double precision",
  Json: "jsonb",
  Bytes: "bytea",
  DateTime: "timestamp(3) without time zone",
};
const ON_DELETE: Record<string, string> = {
  Cascade: "cascade",
  Restrict: "restrict",
  SetNull: "set null",
  NoAction: "no action",
};

interface Field {
  name: string;
  type: string;
  optional: boolean;
  list: boolean;
  attributes: string;
}

/** Parses the tables of `prisma/schema.prisma`. @throws Error for Prisma syntax that it does not know */
export function readPrismaSchema(): Record<string, TableShape> {
  const path = fileURLToPath(new URL("../../../prisma/schema.prisma", import.meta.url));
  const text = readFileSync(path, "utf8").replace(/\/\/.*$/gm, "");
  const models = [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = "", body = ""]) => ({
    name,
    body,
    table: /@@map\("(.+?)"\)/.exec(body)?.[1] ?? name,
    fields: readFields(body),
  }));
  const enums = [...text.matchAll(/^enum (\w+)/gm)].map(([, name]) => name);
  if (enums.length > 0) throw new Error(`Teach this reader enums: ${enums.join(", ")}`);

  return Object.fromEntries(
    models.map((model) => {
      const columnOf = (name: string, of = model) => findColumn(of.fields, name);
      const stored = model.fields.filter((field) => !models.some(({ name }) => name === field.type));
      const block = (word: string) =>
        [...model.body.matchAll(new RegExp(`^\\s*@@${word}\\(\\[(.+?)\\]`, "gm"))].map(([, names = ""]) =>
          names.split(",").map((part) => columnOf(part.trim().replace(/\(.*\)/, ""))),
        );
      const marked = (word: string) =>
        stored
          .filter(({ attributes }) => new RegExp(`@${word}\\b`).test(attributes))
          .map(({ name }) => columnOf(name));
      const foreign = model.fields.flatMap(({ type, attributes, optional }) => {
        const other = models.find(({ name }) => name === type);
        const parts = /@relation\(.*?fields: \[(.+?)\], references: \[(.+?)\](?:.*?onDelete: (\w+))?/.exec(
          attributes,
        );
        if (!other || !parts) return [];
        const [, own = "", theirs = "", rule] = parts;
        const list = (names: string, of: typeof model) =>
          names
            .split(",")
            .map((part) => columnOf(part.trim(), of))
            .join(", ");
        const fate = ON_DELETE[rule ?? (optional ? "SetNull" : "Restrict")];
        return [`${list(own, model)} -> ${other.table}(${list(theirs, other)}) on delete ${fate}`];
      });
      const shape: TableShape = {
        columns: Object.fromEntries(stored.map((field) => [columnOf(field.name), describeColumn(field)])),
        primaryKey: block("id")[0] ?? marked("id"),
        rules: [
          ...[...block("unique"), ...marked("unique").map((name) => [name])].map(
            (names) => `unique(${names.join(", ")})`,
          ),
          ...block("index").map((names) => `index(${names.join(", ")})`),
          ...foreign,
        ].sort(),
      };
      return [model.table, shape];
    }),
  );
}

function readFields(body: string): Field[] {
  return [...body.matchAll(/^ {2}(\w+)\s+(\w+)(\[\])?(\?)?[ \t]*(.*)$/gm)].map(
    ([, name = "", type = "", list, optional, attributes = ""]) => ({
      name,
      type,
      list: list !== undefined,
      optional: optional !== undefined,
      attributes,
    }),
  );
}

function findColumn(fields: Field[], name: string): string {
  const field = fields.find((candidate) => candidate.name === name);
  return /@map\("(.+?)"\)/.exec(field?.attributes ?? "")?.[1] ?? name;
}

function describeColumn({ name, type, list, optional, attributes }: Field): string {
  const [, native, size] = /@db\.(\w+)(?:\((.*?)\))?/.exec(attributes) ?? [];
  const plain = native ? describeNative(native, size) : TYPES[type];
  if (!plain) throw new Error(`Teach this reader the type of ${name}: ${type} ${attributes}`);
  return `${plain}${list ? "[]" : ""} ${optional ? "null" : "not null"}${describeDefault(attributes)}`;
}

function describeNative(native: string, size: string | undefined): string | undefined {
  const sized = size === undefined ? "" : `(${size.replaceAll(" ", "")})`;
  return {
    Timestamptz: `timestamp${sized} with time zone`,
    Timestamp: `timestamp${sized} without time zone`,
    Text: "text",
    VarChar: `character varying${sized}`,
    Char: `character${sized}`,
    SmallInt: "smallint",
    Uuid: "uuid",
    Json: "json",
    Decimal: `numeric${sized}`,
    Date: "date",
  }[native];
}

function describeDefault(attributes: string): string {
  const [, value] = /@default\((.*?)\)(?: |$)/.exec(attributes) ?? [];
  if (value === undefined || /^(uuid|cuid|nanoid|ulid)\(/.test(value)) return "";
  if (value === "now()") return " default CURRENT_TIMESTAMP";
  if (value === "autoincrement()") return " default nextval";
  if (value === "[]") return " default '{}'::text[]";
  return ` default ${value.replaceAll('"', "'")}`;
}
