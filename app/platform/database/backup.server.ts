import { createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { createGzip } from "node:zlib";
import type { DatabaseTarget } from "../env.server";
import type { Connection } from "./client";
import { openEmbedded } from "./embedded.server";
import type { SqlSession } from "./migrations.server";
import { classifyOpeningError } from "./outage.server";
import { connectPostgres } from "./postgres.server";

/**
 * Backups have one format for both kinds of database: gzip of a line with the applied migrations, a line for each row
 * (table, tab, JSON) and a last line with their number. With public keys the gzip is encrypted (age-encryption.org).
 */

/** Neither the file nor the database was written. The message is for the operator. */
export class BackupError extends Error {}

export type Head = { format: typeof FORMAT; migrations: string[] };

export const FORMAT = "mailroom-backup-1";
/** Few, because a row may have 20 MB. */
const ROWS_AT_ONCE = 20;
/** Makes rows the same text on every server. */
export const TEXT_SETTINGS =
  "SET LOCAL statement_timeout = 0; SET LOCAL bytea_output = 'hex'; SET LOCAL TIME ZONE 'UTC'";

/**
 * Writes a snapshot of all rows to a new file that only its owner may read. Returns their number.
 * @param publicKeys keys for which the file is encrypted; none: it is not
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
      await session.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${TEXT_SETTINGS}`);
      const lines = Readable.from(writeLines(session, (count) => (rows = count)));
      const encrypt = (packed: AsyncIterable<Buffer>) => encryptFor(publicKeys, packed);
      // Flushed, so that a file with the final name is complete also after a power cut.
      await pipeline(
        lines,
        createGzip(),
        encrypt,
        createWriteStream(unfinished, { mode: 0o600, flush: true }),
      );
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

/** Opens a database without migrating it. */
export async function inSession(
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

export async function listTables(session: SqlSession): Promise<string[]> {
  const rows = await session.query(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
  );
  return rows.map(({ name }) => String(name));
}

/** Sorts the tables, each after those that it refers to. */
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

/** Pipes a Node stream through a web stream. */
export async function pipeThrough(
  source: Readable,
  work: (bytes: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
): Promise<Readable> {
  const done = await work(Readable.toWeb(source) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(done as unknown as WebStream<Uint8Array>);
}
