import pg from "pg";
import { applyMigrations, type SqlSession } from "../app/platform/database/migrations.server";
import { classifyOpeningError } from "../app/platform/database/outage.server";
import { connectPostgres } from "../app/platform/database/postgres.server";
import { env } from "../app/platform/env.server";
import { print, Refusal, runCommand } from "./command";

/**
 * `npm run migrate`: applies the pending migrations as the user of OWNER_DATABASE_URL, creates missing users of the configured
 * database and of BACKUP_DATABASE_URL, and grants only the rights that they need.
 */

/** Tables to which the console may only add rows. */
const ONLY_GROWING = "credit_transactions, audit_events";
const CONSOLE_RIGHTS = `
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :user;
  GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO :user;
  REVOKE UPDATE, DELETE ON ${ONLY_GROWING} FROM :user;
  REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM :user;`;
/** A backup reads everything and records its outcome. */
const BACKUP_RIGHTS = `
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO :user;
  GRANT INSERT, UPDATE ON reconciliation_runs TO :user;`;

await runCommand("The database was not migrated.", 2, async () => {
  const { ownerUrl, backupUrl, database } = env();
  if (ownerUrl === null) throw new Refusal("Set OWNER_DATABASE_URL to the address with the tables' owner.");
  const connection = connectPostgres(ownerUrl);
  try {
    await connection.withSession(async (session) => {
      for (const name of await applyMigrations(session)) print(`Applied ${name}.`);
      print("All migrations are applied.");
      // Up to PostgreSQL 14 everyone may create tables there, which could hide ours.
      await session.query("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
      if (database.kind === "postgres") await grant(session, database.url, CONSOLE_RIGHTS);
      if (backupUrl !== null) await grant(session, backupUrl, BACKUP_RIGHTS);
    });
  } catch (error) {
    const { details } = classifyOpeningError(error).failure;
    throw error instanceof Refusal ? error : new Refusal(details ?? "");
  } finally {
    await connection.close(false);
  }
  return 0;
});

async function grant(session: SqlSession, url: string, rights: string): Promise<void> {
  const { username, password } = new URL(url);
  const name = decodeURIComponent(username);
  const [owner] = await session.query(
    `SELECT current_user::text AS name, rolsuper OR rolcreaterole AS "makesUsers",
       EXISTS (SELECT FROM pg_roles WHERE rolname = ${pg.escapeLiteral(name)}) AS found
     FROM pg_roles WHERE rolname = current_user`,
  );
  if (owner?.name === name) {
    print(`${name} owns the tables, so it may also change the ledger.`);
    return;
  }
  const user = pg.escapeIdentifier(name);
  if (owner?.makesUsers) {
    const login = `LOGIN PASSWORD ${pg.escapeLiteral(decodeURIComponent(password))}`;
    await session.query(`${owner.found ? "ALTER" : "CREATE"} ROLE ${user} ${login}`);
  } else if (!owner?.found) {
    throw new Refusal(`There is no user ${name}, and the owner may make none. Make it, then try again.`);
  }
  await session.query(`GRANT USAGE ON SCHEMA public TO ${user};${rights.replaceAll(":user", user)}`);
  print(`${name} has its rights.`);
}
