import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** One database session, as both drivers can offer it. */
export interface SqlSession {
  /** One or more statements without parameters. */
  execute(sql: string): Promise<void>;
  select(sql: string): Promise<Record<string, unknown>[]>;
  insert(sql: string, values: string[]): Promise<void>;
}

/** Why the tables cannot be brought up to date; the message holds no SQL and no path. */
export class MigrationError extends Error {}

/** Prisma Migrate's own lock, so that a `prisma migrate deploy` beside us waits too. */
const ADVISORY_LOCK = 72_707_369;
const TURN_WAIT_SECONDS = 60;
/** How long a migration waits for a table. Statements about the table, live mail too, queue behind it during this time. */
const TABLE_WAIT_SECONDS = 2;
/** Pause between two tries, in which the statements that queued behind the last one run. */
const PAUSE_MS = 5_000;
const TRIES = 8;
const LOCK_NOT_AVAILABLE = "55P03";
const NOT_ALLOWED = "42501";

/** Prisma's own table, column for column, so that `prisma migrate status` and `deploy` agree with ours. */
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
 * Applies the migrations of `prisma/migrations` that the database does not have yet, each in a transaction of its own.
 * Any number of processes may do this at once: the advisory lock gives each migration to one of them.
 * Returns the names of those that this process applied.
 * @param only where given, no others are applied
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
  await session.execute("BEGIN");
  try {
    // The session's statement limit is for requests; a migration may take longer.
    await session.execute(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '${TURN_WAIT_SECONDS}s';
       SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`,
    );
    const applied = await loadAppliedNames(session);
    const next = migrations.find(({ name }) => !applied.has(name));
    if (next) await apply(session, next);
    await session.execute("COMMIT");
    return next?.name ?? null;
  } catch (error) {
    // A lost connection has nothing left to roll back, and the first error is the one to report.
    await session.execute("ROLLBACK").catch(() => undefined);
    if (Object(error).code !== NOT_ALLOWED) throw error;
    throw new MigrationError(
      "Its user may not change tables. Run npm run migrate with OWNER_DATABASE_URL, which a restore needs too.",
    );
  }
}

/**
 * Tries again while a long transaction, a backup for example, uses a table. The savepoint keeps the advisory lock during
 * the pause, so that other processes do not fill it with tries of their own.
 */
async function apply(session: SqlSession, { name, sql, checksum }: Migration): Promise<void> {
  await session.execute(`SET LOCAL lock_timeout = '${TABLE_WAIT_SECONDS}s'; SAVEPOINT before_migration`);
  for (let tries = 1; ; tries++) {
    try {
      await session.execute(sql);
      break;
    } catch (error) {
      if (tries === TRIES || Object(error).code !== LOCK_NOT_AVAILABLE) throw error;
      await session.execute("ROLLBACK TO SAVEPOINT before_migration");
      await wait(PAUSE_MS);
    }
  }
  await session.insert(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/** The names of all migrations there are, oldest first. */
export function listMigrations(): string[] {
  return loadMigrations().map(({ name }) => name);
}

/** The names of the migrations that are in the database. */
async function loadAppliedNames(session: SqlSession): Promise<Set<unknown>> {
  const [found] = await session.select("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (found?.present !== true) {
    await session.execute(MIGRATIONS_TABLE);
    return new Set();
  }
  const rows = await session.select(
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
  /** SHA-256 of the file in hexadecimal digits, as Prisma counts it. */
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
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/** Looked for upwards, because this module runs from `app/platform` and, bundled, from `build`. */
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
