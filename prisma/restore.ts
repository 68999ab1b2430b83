import dotenv from "dotenv";
import { verifyLedger } from "../app/credits/ledger/verify-ledger.server";
import { BackupError, restore } from "../app/platform/database/backup.server";
import { openDatabase } from "../app/platform/database/database.server";
import { EnvironmentError, env } from "../app/platform/env.server";
import { verifyCounters } from "../app/responses/stats/verify-counters.server";
import { printFindings } from "./print-findings";

/**
 * `npm run restore -- FILE`: fills the configured database, which must be empty, from a file of `npm run backup`, then
 * checks the books like `npm run verify-ledger`. Exit code 1: restored, and the books are wrong; 2: not restored.
 */
dotenv.config({ quiet: true });
try {
  process.exitCode = await restoreConfigured(process.argv[2]);
} catch (error) {
  if (!(error instanceof BackupError || error instanceof EnvironmentError)) throw error;
  process.exitCode = refuse(error.message);
}

async function restoreConfigured(file: string | undefined): Promise<number> {
  if (file === undefined) return refuse("Name the backup: npm run restore -- FILE.");
  const rows = await restore(env().database, file);
  process.stdout.write(`${rows} rows were restored.\n`);
  const database = openDatabase(env().database, { use: "the restore", shared: false });
  try {
    const looked = await database.run(async (db) => [
      ...(await verifyLedger(db)),
      ...(await verifyCounters(db)),
    ]);
    if (looked.ok) return printFindings(looked.value) ? 0 : 1;
    process.stderr.write("The books could not be checked. Run npm run verify-ledger.\n");
    return 1;
  } finally {
    await database.close();
  }
}

function refuse(reason: string): number {
  process.stderr.write(`Nothing was restored. ${reason}\n`);
  return 2;
}
