import dotenv from "dotenv";
import { BackupError, backUp } from "../app/platform/database/backup.server";
import { openDatabase } from "../app/platform/database/database.server";
import { EnvironmentError, env } from "../app/platform/env.server";
import { countSpooled } from "../app/platform/spool.server";
import { recordBackup } from "../app/reconciliation/daily/runs.server";

/**
 * `npm run backup -- FILE`: copies all rows of the configured database into a new file. A PostgreSQL server may be in
 * use meanwhile, an embedded folder may not. Exit code 2 when nothing was written.
 */
dotenv.config({ quiet: true });
const file = process.argv[2] ?? `mailroom-${new Date().toISOString().replace(/[:.]/g, "-")}.backup`;
try {
  const rows = await backUp(env().database, file);
  process.stdout.write(
    `${rows} rows are in ${file}. Keep it as safe as the database: it has names and addresses.\n`,
  );
  // Opened like a replica: a backup by a newer version leaves the tables as they are.
  const database = openDatabase(env().database, { use: "the backup", shared: false, isReplica: true });
  const noted = await database.run(recordBackup).catch(() => null);
  await database.close();
  if (!noted?.ok) process.stdout.write("The database did not note it, so npm run doctor does not see it.\n");
  const spooled = await countSpooled().catch(() => null);
  if (spooled !== 0) {
    const { spoolFolder } = env();
    const waiting =
      spooled === null
        ? `${spoolFolder} cannot be read: facts may wait there.`
        : `${spooled} facts wait in ${spoolFolder} until a console stores them.`;
    process.stdout.write(`${waiting} Keep that folder too, or back up again later.\n`);
  }
} catch (error) {
  if (!(error instanceof BackupError || error instanceof EnvironmentError)) throw error;
  process.stderr.write(`No backup was made. ${error.message}\n`);
  process.exitCode = 2;
}
