import { readdirSync, readFileSync } from "node:fs";

/** A source text and its path in the repository. */
interface SourceFile {
  path: string;
  text: string;
}

interface Table {
  name: string;
  /** The table's name in the Prisma client: `creditAccount`. */
  delegate: string;
  /** The only folder that may write it; null when the schema names none. */
  owner: string | null;
}

/** A statement or call that changes a table; `table` null: its name is inserted at run time. */
interface Write {
  path: string;
  line: number;
  table: string | null;
}

/** The migrations create the table of migrations themselves. */
const OUTSIDE_THE_SCHEMA: Table[] = [
  { name: "_prisma_migrations", delegate: "", owner: "app/platform/database" },
];
/** Seeds a development database; not a part of the running console. */
const NOT_CHECKED = new Set(["prisma/seed.ts", "prisma/seed-life.ts"]);
/** In capitals, as SQL is written here: "truncate" is a style's name as well. */
const SQL_WRITE =
  /\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?"?(\w+|\$\{)|\bUPDATE\s+(?:ONLY\s+)?"?(\w+|\$\{)[^"\s]*"?(?:\s+(?:AS\s+)?\w+)?\s+SET\b/g;
const CLIENT_WRITE =
  /\.(\w+)\s*\.(?:create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany)\(/g;

/** Fills all tables of an empty database from a backup. */
const RESTORE = "app/platform/database/restore.server.ts";

/** Every table of the schema with its owner, from the comment `/// Owner: app/pieces` of its model. */
function parseTables(schema: string): Table[] {
  return [...schema.matchAll(/((?:^\/\/\/.*\n)*)^model (\w+) \{([\s\S]*?)^\}/gm)].map(
    ([, comment = "", model = "", body = ""]) => ({
      name: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model,
      delegate: model.charAt(0).toLowerCase() + model.slice(1),
      owner: /^\/\/\/ Owner: (\S+)$/m.exec(comment)?.[1] ?? null,
    }),
  );
}

/** Lists the problems, a line each: tables without an owner, and writes outside the owner's folder. */
function findForeignWrites(schema: string, files: readonly SourceFile[]): string[] {
  const declared = parseTables(schema);
  const tables = [...declared, ...OUTSIDE_THE_SCHEMA];
  const byName = new Map(tables.map((table) => [table.name, table]));
  const byDelegate = new Map(declared.map((table) => [table.delegate, table]));
  const problems = declared
    .filter(({ owner }) => owner === null)
    .map(
      ({ name }) => `prisma/schema.prisma: the table ${name} has no owner; write /// Owner: above its model`,
    );
  for (const { path, line, table } of files.flatMap((file) => findWrites(file, byDelegate))) {
    if (table === null) {
      if (path === RESTORE) continue;
      problems.push(`${path}:${line}: the name of the table it writes is not in the SQL`);
      continue;
    }
    const owner = byName.get(table)?.owner;
    if (owner === undefined) problems.push(`${path}:${line}: ${table} is not in prisma/schema.prisma`);
    else if (owner !== null && !path.startsWith(`${owner}/`)) {
      problems.push(`${path}:${line}: writes ${table}, which only ${owner} may write`);
    }
  }
  return problems;
}

/** Finds SQL that writes, and calls such as `anything.creditAccount.update(`. */
function findWrites({ path, text }: SourceFile, byDelegate: ReadonlyMap<string, Table>): Write[] {
  const at = (index: number) => text.slice(0, index).split("\n").length;
  const bySql = [...text.matchAll(SQL_WRITE)].map(({ index, 1: into, 2: updated }) => {
    const table = into ?? updated ?? "";
    return { path, line: at(index), table: table.startsWith("$") ? null : table.toLowerCase() };
  });
  const byClient = [...text.matchAll(CLIENT_WRITE)].flatMap(({ index, 1: delegate = "" }) => {
    const table = byDelegate.get(delegate);
    return table ? [{ path, line: at(index), table: table.name }] : [];
  });
  return [...bySql, ...byClient];
}

const list = (folder: string, recursive: boolean) =>
  readdirSync(folder, { recursive, encoding: "utf8" }).map(
    (path) => `${folder}/${path.replaceAll("\\", "/")}`,
  );
const paths = [...list("app", true), ...list("prisma", false)].filter(
  (path) => /\.tsx?$/.test(path) && !NOT_CHECKED.has(path),
);
const files = paths.map((path) => ({ path, text: readFileSync(path, "utf8") }));
const problems = findForeignWrites(readFileSync("prisma/schema.prisma", "utf8"), files);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
process.stdout.write(`Every table is written by its owner alone (${files.length} files).\n`);
