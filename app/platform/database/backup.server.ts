import { createReadStream, createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { DatabaseTarget } from "../env.server";
import type { Connection } from "./connection.server";
import { openEmbedded } from "./embedded.server";
import { applyMigrations, listMigrations, type SqlSession } from "./migrations.server";
import { classifyOpeningError } from "./outage.server";
import { connectPostgres } from "./postgres.server";

/**
 * Backups of all tables in one file that can be restored into either kind of database. The file is gzip: a line with the
 * applied migrations, a line for each row (table, tab, JSON), and a last line with the number of rows.
 */

/** A backup or restore that wrote nothing. Its message is for the operator. */
export class BackupError extends Error {}

interface Head {
  format: typeof FORMAT;
  migrations: string[];
}

const FORMAT = "mailroom-backup-1";
/** A row may have 20 MB. */
const ROWS_AT_ONCE = 20;
const CHARS_AT_ONCE = 4_000_000;
/** Fixes how rows are written as text. */
const TEXT_SETTINGS =
  "SET LOCAL statement_timeout = 0; SET LOCAL bytea_output = 'hex'; SET LOCAL TIME ZONE 'UTC'";
const NEWLINE = 0x0a;

/**
 * Writes a snapshot of all rows to a new file that only its owner may read. Returns their number.
 * @throws BackupError when there is no database, it cannot be opened, or the file exists
 */
export async function backUp(target: DatabaseTarget, file: string): Promise<number> {
  const unfinished = `${file}.unfinished`;
  let rows = 0;
  try {
    await inSession(target, "the backup", async (session) => {
      await session.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${TEXT_SETTINGS}`);
      const lines = Readable.from(writeLines(session, (count) => (rows = count)));
      await pipeline(lines, createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
      await session.query("COMMIT");
    });
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw new BackupError(`${file} exists already.`);
      throw error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  return rows;
}

/**
 * Fills an empty database from a file, with all rows or none, then applies the migrations that are newer than the file.
 * Returns the number of rows.
 * @param beforeCommit statements that prepare the rows for use, on the tables of the file's version
 * @throws BackupError when the target is not empty, or the file is damaged or of a newer version
 */
export async function restore(target: DatabaseTarget, file: string, beforeCommit: string): Promise<number> {
  const lines = readLines(file);
  const head = parseHead((await nextLine(lines)) ?? "");
  const unknown = head.migrations.filter((name) => !listMigrations().includes(name));
  if (unknown.length > 0) throw new BackupError("The backup was made by a newer version of Mailroom.");
  let rows = 0;
  await inSession(target, "the restore", async (session) => {
    await refuseFilled(session, head);
    await applyMigrations(session, head.migrations);
    await session.query(`BEGIN; ${TEXT_SETTINGS}`);
    try {
      rows = await insertRows(session, lines);
      await session.query(beforeCommit);
      await session.query("COMMIT");
    } catch (error) {
      await session.query("ROLLBACK").catch(() => undefined);
      throw error;
    }
    await applyMigrations(session);
  });
  return rows;
}

/** Opens a database without migrating it. */
async function inSession(
  target: DatabaseTarget,
  use: string,
  work: (session: SqlSession) => Promise<void>,
): Promise<void> {
  const connection = await connect(target, use);
  try {
    await connection.withSession(work);
  } finally {
    await connection.close(false);
  }
}

async function connect(target: DatabaseTarget, use: string): Promise<Connection> {
  if (target.kind === "none" || (target.kind === "embedded" && target.folder === "memory")) {
    throw new BackupError("No database that lasts is configured: set MAILROOM_DATABASE_URL.");
  }
  try {
    if (target.kind === "embedded") return await openEmbedded(target.folder, { use, shared: false });
    const connection = connectPostgres(target.url);
    await connection.withSession(async (session) => void (await session.query("SELECT 1")));
    return connection;
  } catch (error) {
    throw new BackupError(classifyOpeningError(error).failure.details);
  }
}

async function* writeLines(session: SqlSession, count: (rows: number) => void): AsyncGenerator<string> {
  const names = await listTables(session);
  if (!names.includes("_prisma_migrations"))
    throw new BackupError("The database has no tables of Mailroom yet.");
  const applied = await session.query(
    "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name",
  );
  const head: Head = { format: FORMAT, migrations: applied.map((row) => String(row.migration_name)) };
  yield `${JSON.stringify(head)}\n`;
  let rows = 0;
  for (const name of await sortByReference(session, names)) {
    await session.query(`DECLARE backup_rows CURSOR FOR SELECT row_to_json(r)::text AS row FROM "${name}" r`);
    for (;;) {
      const batch = await session.query(`FETCH ${ROWS_AT_ONCE} FROM backup_rows`);
      for (const { row } of batch) yield `${name}\t${row}\n`;
      rows += batch.length;
      if (batch.length < ROWS_AT_ONCE) break;
    }
    await session.query("CLOSE backup_rows");
  }
  count(rows);
  yield `end\t${rows}\n`;
}

async function listTables(session: SqlSession): Promise<string[]> {
  const rows = await session.query(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
  );
  return rows.map(({ name }) => String(name));
}

/** Our tables, each after those that it refers to. */
async function sortByReference(session: SqlSession, names: string[]): Promise<string[]> {
  const references = await session.query(
    `SELECT a.relname AS "from", b.relname AS "to" FROM pg_constraint c
     JOIN pg_class a ON a.oid = c.conrelid JOIN pg_class b ON b.oid = c.confrelid
     WHERE c.contype = 'f' AND c.conrelid <> c.confrelid`,
  );
  const sorted: string[] = [];
  let rest = names.filter((name) => name !== "_prisma_migrations");
  while (rest.length > 0) {
    const free = rest.filter(
      (name) => !references.some(({ from, to }) => from === name && rest.includes(String(to))),
    );
    if (free.length === 0) throw new BackupError(`The tables ${rest.join(", ")} refer to each other.`);
    sorted.push(...free);
    rest = rest.filter((name) => !free.includes(name));
  }
  return sorted;
}

async function refuseFilled(session: SqlSession, head: Head): Promise<void> {
  for (const name of await listTables(session)) {
    if (name === "_prisma_migrations") {
      const newer = await session.query("SELECT migration_name AS name FROM _prisma_migrations");
      if (newer.every((row) => head.migrations.includes(String(row.name)))) continue;
      throw new BackupError("The target's tables are newer than the backup. Give a database without tables.");
    }
    const [row] = await session.query(`SELECT 1 AS one FROM "${name}" LIMIT 1`);
    if (row) throw new BackupError(`The target database is not empty: table ${name} has rows.`);
  }
}

async function insertRows(session: SqlSession, lines: AsyncGenerator<string>): Promise<number> {
  const names = await listTables(session);
  // The rows already hold the effects of the triggers.
  for (const name of names) await session.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
  let rows = 0;
  let batch = { name: "", rows: [] as string[], chars: 0 };
  const flush = async () => {
    if (batch.rows.length === 0) return;
    const { name } = batch;
    await session.query(
      `INSERT INTO "${name}" SELECT * FROM json_populate_recordset(NULL::"${name}", $1::text::json)`,
      [`[${batch.rows.join(",")}]`],
    );
    rows += batch.rows.length;
  };
  for (let line = await nextLine(lines); line !== null; line = await nextLine(lines)) {
    const tab = line.indexOf("\t");
    const [name, row] = [line.slice(0, tab), line.slice(tab + 1)];
    if (name !== batch.name || batch.chars + row.length > CHARS_AT_ONCE) {
      await flush();
      batch = { name, rows: [], chars: 0 };
    }
    if (name === "end") {
      if (Number(row) !== rows) break;
      for (const table of names) await session.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`);
      await advanceSequences(session);
      return rows;
    }
    if (!names.includes(name))
      throw new BackupError(`The backup has rows of a table ${name} that is not ours.`);
    batch.rows.push(row);
    batch.chars += row.length;
  }
  throw new BackupError("The backup is not complete.");
}

async function advanceSequences(session: SqlSession): Promise<void> {
  const numbered = await session.query(
    `SELECT table_name AS name, column_name AS number FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_default LIKE 'nextval(%'`,
  );
  for (const { name, number } of numbered) {
    await session.query(
      `SELECT setval(pg_get_serial_sequence('"${name}"', '${number}'), max("${number}")) FROM "${name}"`,
    );
  }
}

function parseHead(line: string): Head {
  try {
    const head = JSON.parse(line) as Head;
    if (head.format === FORMAT && Array.isArray(head.migrations)) return head;
  } catch {
    // Not a backup.
  }
  throw new BackupError("The file is no backup of Mailroom.");
}

/** Splits at newlines only, because `readline` also splits at U+2028, which rows may contain. */
async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = createGunzip();
  source.on("error", (error) => text.destroy(error));
  let parts: Buffer[] = [];
  for await (const chunk of source.pipe(text) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, at));
      yield Buffer.concat(parts).toString("utf8");
      parts = [];
      from = at + 1;
    }
    parts.push(chunk.subarray(from));
  }
}

/** @throws BackupError when the file cannot be read or unpacked */
async function nextLine(lines: AsyncGenerator<string>): Promise<string | null> {
  try {
    const { value, done } = await lines.next();
    return done ? null : value;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    throw new BackupError(`The backup file cannot be read${code}.`);
  }
}
