import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sha256 } from "../hash.server";

export interface SqlSession {
  /** Returns the rows of the last statement. Only a single statement may have values. */
  query(sql: string, values?: string[]): Promise<Record<string, unknown>[]>;
}

/** Migrations cannot be applied. The message holds no SQL and no path. */
export class MigrationError extends Error {}

/** Lock of Prisma Migrate, so that `prisma migrate deploy` waits for us too. */
const ADVISORY_LOCK = 72_707_369;
const TURN_WAIT_SECONDS = 60;
/** Longest wait for a table's lock. Other statements about the table queue behind it, including those of live mail. */
const TABLE_WAIT_SECONDS = 2;
/** Pause between two attempts, so that queued statements can run. */
const PAUSE_MS = 5_000;
const TRIES = 8;
const LOCK_NOT_AVAILABLE = "55P03";
const NOT_ALLOWED = "42501";

/** Prisma's own table, so that `prisma migrate status` and `deploy` agree with ours. */
const MIGRATIONS_TABLE = `CREATE TABLE _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies the migrations of `prisma/migrations` that the database does not have, each in its own transaction. Any number of
 * processes may do this at once: the advisory lock lets one of them apply each migration.
 * Returns the names of those that this process applied.
 * @param only limits it to these migrations
 * @throws MigrationError when Prisma Migrate has left a migration unfinished, or the database's user may not change tables; the
 *   driver's error otherwise
 */
export async function applyMigrations(session: SqlSession, only?: readonly string[]): Promise<string[]> {
  const migrations = loadMigrations().filter(({ name }) => only?.includes(name) ?? true);
  const applied: string[] = [];
  for (;;) {
    const name = await applyNext(session, migrations);
    if (name === null) return applied;
    applied.push(name);
  }
}

async function applyNext(session: SqlSession, migrations: readonly Migration[]): Promise<string | null> {
  await session.query("BEGIN");
  try {
    // A migration may take longer than a request's statement.
    await session.query(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '${TURN_WAIT_SECONDS}s';
       SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`,
    );
    const applied = await loadAppliedNames(session);
    const next = migrations.find(({ name }) => !applied.has(name));
    if (next) await apply(session, next);
    await session.query("COMMIT");
    return next?.name ?? null;
  } catch (error) {
    // Reports the first error, also when the connection is lost.
    await session.query("ROLLBACK").catch(() => undefined);
    if (Object(error).code !== NOT_ALLOWED) throw error;
    throw new MigrationError(
      "Its user may not change tables. Run npm run migrate with OWNER_DATABASE_URL, which a restore needs too.",
    );
  }
}

/**
 * Retries while a long transaction, such as a backup, uses a table. The savepoint keeps the advisory lock during the pause,
 * so that other processes do not try too.
 */
async function apply(session: SqlSession, { name, sql, checksum }: Migration): Promise<void> {
  await session.query(`SET LOCAL lock_timeout = '${TABLE_WAIT_SECONDS}s'; SAVEPOINT before_migration`);
  for (let tries = 1; ; tries++) {
    try {
      await session.query(sql);
      break;
    } catch (error) {
      if (tries === TRIES || Object(error).code !== LOCK_NOT_AVAILABLE) throw error;
      await session.query("ROLLBACK TO SAVEPOINT before_migration");
      await wait(PAUSE_MS);
    }
  }
  await session.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

export function listMigrations(): string[] {
  return loadMigrations().map(({ name }) => name);
}

async function loadAppliedNames(session: SqlSession): Promise<Set<unknown>> {
  const [found] = await session.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (found?.present !== true) {
    await session.query(MIGRATIONS_TABLE);
    return new Set();
  }
  const rows = await session.query(
    `SELECT migration_name, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const unfinished = rows.find(({ finished }) => finished !== true);
  if (unfinished) {
    throw new MigrationError(
      `Prisma Migrate left ${unfinished.migration_name} unfinished. Settle it with "prisma migrate resolve" first.`,
    );
  }
  return new Set(rows.map((row) => row.migration_name));
}

interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file in hexadecimal digits, as Prisma stores it. */
  checksum: string;
}

function loadMigrations(): Migration[] {
  const folder = findMigrationsFolder();
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: sha256(sql) };
    });
}

/** Searches upwards, because this module runs from `app/platform` and, bundled, from `build`. */
function findMigrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, "prisma", "migrations");
    if (existsSync(join(candidate, "migration_lock.toml"))) return candidate;
    const parent = dirname(folder);
    if (parent === folder) {
      throw new MigrationError("The folder prisma/migrations is missing. Deploy it beside the build.");
    }
    folder = parent;
  }
}
