import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { markRestoredLists, PAUSE_RESTORED_LISTS } from "../app/bulk/sending/restored-lists.server";
import { verifyLedger } from "../app/credits/ledger/verify-ledger.server";
import { openDatabase } from "../app/platform/database/open-database.server";
import { restore } from "../app/platform/database/restore.server";
import { type DatabaseTarget, env } from "../app/platform/env.server";
import { applyErasures } from "../app/privacy/erase-person.server";
import { type Erasure, readErasures } from "../app/privacy/erasures.server";
import { verifyCounters } from "../app/responses/stats/verify-counters.server";
import { print, printFindings, Refusal, runCommand } from "./command";

/**
 * `npm run restore -- FILE [ERASURES]`: fills the configured database, which must be empty, from a backup. Pauses the lists
 * that were running, applies later erasures and checks the books. ERASURES is a console's file of them; default: the one in
 * `MAILROOM_SPOOL_DIR`. `--rehearse` uses an embedded database that is removed afterwards. Exit code 1: restored, but a
 * later step failed or the books are wrong; 2: not restored.
 */
await runCommand("Nothing was restored.", 2, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { rehearse: { type: "boolean" } },
  });
  const [file, erasuresFile] = positionals;
  if (file === undefined || positionals.length > 2) {
    throw new Refusal(
      "Give the backup, and at most one file of erasures: npm run restore -- FILE [ERASURES].",
    );
  }
  const erasures = await readErasures(erasuresFile).catch(() => null);
  if (erasures === null) throw new Refusal("The file of erasures cannot be read.");
  if (values.rehearse) return rehearse(file, erasures);
  const { ownerUrl, database } = env();
  return restoreInto(ownerUrl === null ? database : { kind: "postgres", url: ownerUrl }, file, erasures);
});

async function rehearse(file: string, erasures: readonly Erasure[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-rehearsal-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(2));
  const code = await restoreInto({ kind: "embedded", folder: join(folder, "database") }, file, erasures);
  remove();
  print(`The rehearsal went ${code === 0 ? "right" : "WRONG"}. Its database was removed.`);
  return code;
}

async function restoreInto(
  target: DatabaseTarget,
  file: string,
  erasures: readonly Erasure[],
): Promise<number> {
  const rows = await restore(target, file, PAUSE_RESTORED_LISTS, env().backups.privateKeys);
  print(`${rows} rows were restored.`);
  const database = openDatabase(target, { use: "the restore", shared: false });
  try {
    const paused = await database.run(markRestoredLists);
    if (!paused.ok) {
      return fail("Its lists could not be compared later. Restore once more, into another database.");
    }
    if (paused.value > 0) {
      print(`Lists that were running and are paused: ${paused.value}. Resume each on its page.`);
    }
    const tokens = await database.run((db) =>
      db.token.count({ where: { revokedAt: null, expiresAt: { gt: new Date() } } }),
    );
    if (tokens.ok && tokens.value > 0) {
      print(
        `Tokens in use: ${tokens.value}. Those revoked after the backup work again: revoke them at /profile.`,
      );
    }
    const erased = await database.run((db) => applyErasures(db, erasures));
    if (!erased.ok) return fail("Later erasures were not applied. Empty the database and restore again.");
    print(`Erasures applied again: ${erased.value}.`);
    const checked = await database.run(async (db) => [
      ...(await verifyLedger(db)),
      ...(await verifyCounters(db)),
    ]);
    if (checked.ok) return printFindings(checked.value) ? 0 : 1;
    return fail("The books could not be checked. Run npm run verify-ledger.");
  } finally {
    await database.close();
  }
}

function fail(problem: string): number {
  process.stderr.write(`${problem}\n`);
  return 1;
}
