import dotenv from "dotenv";
import { markRestoredLists, PAUSE_RESTORED_LISTS } from "../app/bulk/sending/restored-lists.server";
import { verifyLedger } from "../app/credits/ledger/verify-ledger.server";
import { BackupError, restore } from "../app/platform/database/backup.server";
import { openDatabase } from "../app/platform/database/database.server";
import { EnvironmentError, env } from "../app/platform/env.server";
import { applyErasures } from "../app/privacy/erase-person.server";
import { readErasures } from "../app/privacy/erasures.server";
import { verifyCounters } from "../app/responses/stats/verify-counters.server";
import { printFindings } from "./print-findings";

/**
 * `npm run restore -- FILE [ERASURES]`: fills the configured database, which must be empty, from a file of
 * `npm run backup`, pauses the lists that were running, applies the erasures made after that backup, then checks the books
 * like `npm run verify-ledger`. ERASURES is the file that a console keeps them in; without it, the one in
 * `MAILROOM_SPOOL_DIR`. Exit code 1: restored, but a later step failed or the books are wrong; 2: not restored.
 */
dotenv.config({ quiet: true });
try {
  process.exitCode = await restoreConfigured(process.argv[2], process.argv[3]);
} catch (error) {
  if (!(error instanceof BackupError || error instanceof EnvironmentError)) throw error;
  process.exitCode = refuse(error.message);
}

async function restoreConfigured(file: string | undefined, erasuresFile?: string): Promise<number> {
  if (file === undefined) return refuse("Name the backup: npm run restore -- FILE.");
  const erasures = await readErasures(erasuresFile).catch(() => null);
  if (erasures === null) return refuse("The file of erasures cannot be read.");
  const rows = await restore(env().database, file, PAUSE_RESTORED_LISTS);
  process.stdout.write(`${rows} rows were restored.\n`);
  const database = openDatabase(env().database, { use: "the restore", shared: false });
  try {
    const paused = await database.run(markRestoredLists);
    if (!paused.ok) {
      return fail("Its lists could not be compared later. Restore once more, into another database.");
    }
    if (paused.value > 0) {
      process.stdout.write(
        `Lists that were running and are paused: ${paused.value}. Resume each on its page.\n`,
      );
    }
    const erased = await database.run((db) => applyErasures(db, erasures));
    if (!erased.ok) return fail("Later erasures were not applied. Empty the database and restore again.");
    process.stdout.write(`Erasures applied again: ${erased.value}.\n`);
    const looked = await database.run(async (db) => [
      ...(await verifyLedger(db)),
      ...(await verifyCounters(db)),
    ]);
    if (looked.ok) return printFindings(looked.value) ? 0 : 1;
    return fail("The books could not be checked. Run npm run verify-ledger.");
  } finally {
    await database.close();
  }
}

function fail(problem: string): number {
  process.stderr.write(`${problem}\n`);
  return 1;
}

function refuse(reason: string): number {
  process.stderr.write(`Nothing was restored. ${reason}\n`);
  return 2;
}
