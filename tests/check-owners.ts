import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** A source text and where it stands in the repository. */
interface SourceFile {
  path: string;
  text: string;
}

interface Table {
  name: string;
  /** As the Prisma client calls it: `creditAccount`. */
  delegate: string;
  /** The one folder that may write it; null where the schema does not say. */
  owner: string | null;
}

/** A statement or call that changes a table; `table` null: its name is put in only when the program runs. */
interface Write {
  path: string;
  line: number;
  table: string | null;
}

/** The book of migrations is made by the migrations themselves. */
const OUTSIDE_THE_SCHEMA: Table[] = [
  { name: "_prisma_migrations", delegate: "", owner: "app/platform/database" },
];
/** Puts people to act for into a database for development; no part of the running console. */
const NOT_CHECKED = new Set(["prisma/seed.ts", "prisma/seed-life.ts"]);
/** In capitals, as SQL is written here: "truncate" is a style's name as well. */
const SQL_WRITE =
  /\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?"?([\w?]+)|\bUPDATE\s+(?:ONLY\s+)?"?([\w?]+)"?(?:\s+(?:AS\s+)?\w+)?\s+SET\b/g;
const CLIENT_WRITES = new Set(
  "create createMany createManyAndReturn update updateMany updateManyAndReturn upsert delete deleteMany".split(
    " ",
  ),
);

/** Fills the tables of an empty database from a backup, whatever their names. */
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

/** What is wrong, a line each: tables without an owner, and writes outside the owner's folder. */
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

function findWrites({ path, text }: SourceFile, byDelegate: ReadonlyMap<string, Table>): Write[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const writes: Write[] = [];
  const add = (node: ts.Node, table: string | null) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    writes.push({ path, line: line + 1, table });
  };
  const visit = (node: ts.Node): void => {
    const sql = readText(node);
    for (const [, into, updated] of sql?.matchAll(SQL_WRITE) ?? []) {
      const table = into ?? updated ?? "?";
      add(node, table.includes("?") ? null : table.toLowerCase());
    }
    const table = readClientWrite(node, byDelegate);
    if (table) add(node, table.name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return writes;
}

/** The text of a string or template, with a question mark for each value; null for any other node. */
function readText(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("?");
}

/** `anything.creditAccount.update(...)` */
function readClientWrite(node: ts.Node, byDelegate: ReadonlyMap<string, Table>): Table | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { expression, name } = node.expression;
  if (!CLIENT_WRITES.has(name.text) || !ts.isPropertyAccessExpression(expression)) return null;
  return byDelegate.get(expression.name.text) ?? null;
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
