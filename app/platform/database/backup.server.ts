import { createReadStream, createWriteStream } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import type { DatabaseTarget } from "../env.server";
import type { Connection } from "./connection.server";
import { openEmbedded } from "./embedded.server";
import { applyMigrations, listMigrations, type SqlSession } from "./migrations.server";
import { classifyOpeningError } from "./outage.server";
import { connectPostgres } from "./postgres.server";

/**
 * Copies of all tables in one file, the same for both kinds of database, so that a copy of one can be restored into the
 * other. The file is gzip: a line that names the migrations that had been applied, a line for each row (table, tab,
 * JSON), and a last line with their number. With public keys the gzip is encrypted in the format of age-encryption.org.
 */

/** Nothing was written, neither to the file nor to the database. The message is for the operator. */
export class BackupError extends Error {}

interface Head {
  format: typeof FORMAT;
  migrations: string[];
}

const FORMAT = "mailroom-backup-1";
/** A row may have 20 MB. */
const ROWS_AT_ONCE = 20;
const CHARS_AT_ONCE = 4_000_000;
/** How rows become text, whatever the server's settings. */
const TEXT_SETTINGS =
  "SET LOCAL statement_timeout = 0; SET LOCAL bytea_output = 'hex'; SET LOCAL TIME ZONE 'UTC'";
const NEWLINE = 0x0a;
const ENCRYPTED = "age-encryption.org/v1";

/**
 * Writes all rows as they are at one moment to a new file, which only its owner may read. Gives their number.
 * @param publicKeys each has a private key that can read the file; none: it is not encrypted
 * @throws BackupError when there is no database, it cannot be opened, or the file exists already
 */
export async function backUp(
  target: DatabaseTarget,
  file: string,
  publicKeys: readonly string[] = [],
): Promise<number> {
  const unfinished = `${file}.unfinished`;
  let rows = 0;
  try {
    await inSession(target, "the backup", async (session) => {
      await session.execute(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${TEXT_SETTINGS}`);
      const lines = Readable.from(writeLines(session, (count) => (rows = count)));
      const encrypt = (packed: AsyncIterable<Buffer>) => encryptFor(publicKeys, packed);
      // Flushed, so that a file with its final name is whole also after a power cut.
      await pipeline(
        lines,
        createGzip(),
        encrypt,
        createWriteStream(unfinished, { mode: 0o600, flush: true }),
      );
      await session.execute("COMMIT");
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
 * Fills an empty database from a file: all rows or none. Then the migrations are applied that are newer than the file.
 * Gives the number of rows.
 * @param beforeCommit statements that make the rows fit to be used, on the tables of the file's version
 * @param privateKeys one of them opens the file, if it is encrypted
 * @throws BackupError when the target is not empty, or the file is damaged or of a newer version
 */
export async function restore(
  target: DatabaseTarget,
  file: string,
  beforeCommit: string,
  privateKeys: readonly string[] = [],
): Promise<number> {
  const lines = readLines(file, privateKeys);
  const head = parseHead((await nextLine(lines)) ?? "");
  const unknown = head.migrations.filter((name) => !listMigrations().includes(name));
  if (unknown.length > 0) throw new BackupError("The backup was made by a newer version of Mailroom.");
  let rows = 0;
  await inSession(target, "the restore", async (session) => {
    await refuseFilled(session, head);
    await applyMigrations(session, head.migrations);
    await session.execute(`BEGIN; ${TEXT_SETTINGS}`);
    try {
      rows = await insertRows(session, lines);
      await session.execute(beforeCommit);
      await session.execute("COMMIT");
    } catch (error) {
      await session.execute("ROLLBACK").catch(() => undefined);
      throw error;
    }
    await applyMigrations(session);
  });
  return rows;
}

/** Opens a database as it is: nothing is migrated. */
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
    const connection = connectPostgres(target.url, target.single);
    await connection.withSession((session) => session.execute("SELECT 1"));
    return connection;
  } catch (error) {
    throw new BackupError(classifyOpeningError(error).failure.details);
  }
}

async function* writeLines(session: SqlSession, count: (rows: number) => void): AsyncGenerator<string> {
  const names = await listTables(session);
  if (!names.includes("_prisma_migrations"))
    throw new BackupError("The database has no tables of Mailroom yet.");
  const applied = await session.select(
    "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name",
  );
  const head: Head = { format: FORMAT, migrations: applied.map((row) => String(row.migration_name)) };
  yield `${JSON.stringify(head)}\n`;
  let rows = 0;
  for (const name of await sortByReference(session, names)) {
    await session.execute(
      `DECLARE backup_rows CURSOR FOR SELECT row_to_json(r)::text AS row FROM "${name}" r`,
    );
    for (;;) {
      const batch = await session.select(`FETCH ${ROWS_AT_ONCE} FROM backup_rows`);
      for (const { row } of batch) yield `${name}\t${row}\n`;
      rows += batch.length;
      if (batch.length < ROWS_AT_ONCE) break;
    }
    await session.execute("CLOSE backup_rows");
  }
  count(rows);
  yield `end\t${rows}\n`;
}

async function listTables(session: SqlSession): Promise<string[]> {
  const rows = await session.select(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
  );
  return rows.map(({ name }) => String(name));
}

/** Our tables, each after those that it refers to. */
async function sortByReference(session: SqlSession, names: string[]): Promise<string[]> {
  const references = await session.select(
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
      const newer = await session.select("SELECT migration_name AS name FROM _prisma_migrations");
      if (newer.every((row) => head.migrations.includes(String(row.name)))) continue;
      throw new BackupError("The target's tables are newer than the backup. Give a database without tables.");
    }
    const [row] = await session.select(`SELECT 1 AS one FROM "${name}" LIMIT 1`);
    if (row) throw new BackupError(`The target database is not empty: table ${name} has rows.`);
  }
}

async function insertRows(session: SqlSession, lines: AsyncGenerator<string>): Promise<number> {
  const names = await listTables(session);
  // What triggers made of a row is in the row.
  for (const name of names) await session.execute(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
  let rows = 0;
  let batch = { name: "", rows: [] as string[], chars: 0 };
  const flush = async () => {
    if (batch.rows.length === 0) return;
    const { name } = batch;
    await session.insert(
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
      // Read to its end, where the encryption shows that nothing was changed.
      if (Number(row) !== rows || (await nextLine(lines)) !== null) break;
      for (const table of names) await session.execute(`ALTER TABLE "${table}" ENABLE TRIGGER USER`);
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
  const numbered = await session.select(
    `SELECT table_name AS name, column_name AS number FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_default LIKE 'nextval(%'`,
  );
  for (const { name, number } of numbered) {
    await session.select(
      `SELECT setval(pg_get_serial_sequence('"${name}"', '${number}'), max("${number}")) FROM "${name}"`,
    );
  }
}

function parseHead(line: string): Head {
  try {
    const head = JSON.parse(line) as Head;
    if (head.format === FORMAT && Array.isArray(head.migrations)) return head;
  } catch {
    // It is something else.
  }
  throw new BackupError("The file is no backup of Mailroom.");
}

/** Splits at newlines alone: `readline` takes U+2028, which text in a row may have, for one. */
async function* readLines(file: string, privateKeys: readonly string[]): AsyncGenerator<string> {
  const source = await openBackup(file, privateKeys);
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

/** Imported when needed, as a console needs none of it. */
async function* encryptFor(
  publicKeys: readonly string[],
  packed: AsyncIterable<Buffer>,
): AsyncGenerator<Uint8Array> {
  if (publicKeys.length === 0) {
    yield* packed;
    return;
  }
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  try {
    for (const key of publicKeys) encrypter.addRecipient(key);
  } catch {
    throw new BackupError("BACKUP_PUBLIC_KEYS has a key that was not copied whole.");
  }
  yield* await pipeThrough(Readable.from(packed, { objectMode: false }), (bytes) => encrypter.encrypt(bytes));
}

/** The packed rows of a file, decrypted where needed. */
async function openBackup(file: string, privateKeys: readonly string[]): Promise<Readable> {
  const start = Buffer.alloc(ENCRYPTED.length);
  const opened = await open(file);
  await opened.read(start, 0, start.length, 0).finally(() => opened.close());
  const source = createReadStream(file);
  if (start.toString("latin1") !== ENCRYPTED) return source;
  if (privateKeys.length === 0) {
    throw new BackupError("The backup is encrypted. Set BACKUP_PRIVATE_KEYS to the private key for it.");
  }
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  try {
    for (const key of privateKeys) decrypter.addIdentity(key);
    return await pipeThrough(source, (bytes) => decrypter.decrypt(bytes));
  } catch (error) {
    const isOther = error instanceof Error && /no identity matched/.test(error.message);
    throw new BackupError(
      isOther
        ? "No key of BACKUP_PRIVATE_KEYS opens this backup."
        : "The backup is damaged, or BACKUP_PRIVATE_KEYS has a key that was not copied whole.",
    );
  }
}

async function pipeThrough(
  source: Readable,
  work: (bytes: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
): Promise<Readable> {
  const done = await work(Readable.toWeb(source) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(done as unknown as WebStream<Uint8Array>);
}

/** @throws BackupError when the file cannot be unpacked; the error of the file system when it cannot be read */
async function nextLine(lines: AsyncGenerator<string>): Promise<string | null> {
  try {
    const { value, done } = await lines.next();
    return done ? null : value;
  } catch (error) {
    if (error instanceof BackupError || (error instanceof Error && "syscall" in error)) throw error;
    throw new BackupError("The backup file cannot be read: it is damaged, or no backup of Mailroom.");
  }
}
