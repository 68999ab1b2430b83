import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { DatabaseTarget } from "../env.server";
import {
  BackupError,
  FORMAT,
  type Head,
  inSession,
  listTables,
  pipeThrough,
  TEXT_SETTINGS,
} from "./backup.server";
import { applyMigrations, listMigrations, type SqlSession } from "./migrations.server";

const CHARS_AT_ONCE = 4_000_000;
const NEWLINE = 0x0a;
const ENCRYPTED = "age-encryption.org/v1";

/**
 * Fills an empty database from a backup, with all rows or none, then applies newer migrations. Returns the number of rows.
 * @param beforeCommit statements on the tables of the file's version
 * @param privateKeys keys for an encrypted file
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
    await assertEmpty(session, head);
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

async function assertEmpty(session: SqlSession, head: Head): Promise<void> {
  for (const name of await listTables(session)) {
    if (name === "_prisma_migrations") {
      const newer = await session.query("SELECT migration_name AS name FROM _prisma_migrations");
      if (newer.every((row) => head.migrations.includes(String(row.name)))) continue;
      throw new BackupError("The target's tables are newer than the backup. Use an empty database.");
    }
    const [row] = await session.query(`SELECT 1 AS one FROM "${name}" LIMIT 1`);
    if (row) throw new BackupError(`The target database is not empty: table ${name} has rows.`);
  }
}

async function insertRows(session: SqlSession, lines: AsyncGenerator<string>): Promise<number> {
  const names = await listTables(session);
  // The rows already hold what triggers wrote.
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
      // Reads to the end, where the encryption proves that nothing was changed.
      if (Number(row) !== rows || (await nextLine(lines)) !== null) break;
      for (const table of names) await session.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`);
      await advanceSequences(session);
      return rows;
    }
    if (!names.includes(name)) throw new BackupError(`The backup has rows of an unknown table, ${name}.`);
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
    // Reported below.
  }
  throw new BackupError("The file is not a Mailroom backup.");
}

/** Splits at newlines only. `readline` also splits at U+2028, which a row may hold. */
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
    const isOtherKey = error instanceof Error && /no identity matched/.test(error.message);
    throw new BackupError(
      isOtherKey
        ? "No key of BACKUP_PRIVATE_KEYS opens this backup."
        : "The backup is damaged, or BACKUP_PRIVATE_KEYS has a key that was not copied whole.",
    );
  }
}

/** @throws BackupError when the file cannot be unpacked; the error of the file system when it cannot be read */
async function nextLine(lines: AsyncGenerator<string>): Promise<string | null> {
  try {
    const { value, done } = await lines.next();
    return done ? null : value;
  } catch (error) {
    if (error instanceof BackupError || (error instanceof Error && "syscall" in error)) throw error;
    throw new BackupError("The backup file cannot be read: it is damaged, or not a Mailroom backup.");
  }
}
