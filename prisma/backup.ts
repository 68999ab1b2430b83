import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { copyFile, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { backUp } from "../app/platform/database/backup.server";
import { openDatabase } from "../app/platform/database/open-database.server";
import { type DatabaseTarget, env } from "../app/platform/env.server";
import { countSpooled } from "../app/platform/spool.server";
import { recordBackup } from "../app/reconciliation/daily/runs.server";
import { findTarget, formatProblem, print, Refusal, runCommand } from "./command";

/**
 * `npm run backup -- FILE|FOLDER`: writes all rows of the configured database to a new file. In a FOLDER it chooses the name
 * and keeps the last seven. `--new-key` prints a key pair. The database may be in use; an embedded one only by a console in
 * development. Exit code 1: no copy was made; 2: no backup was made.
 */
const KEPT = 7;
const COPY_FAILED = 1;
const NOT_MADE = 2;
const OURS = /^mailroom-\d[\dTZ-]+\.backup$/;

await runCommand("No backup was made.", NOT_MADE, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { "new-key": { type: "boolean" } },
  });
  if (values["new-key"]) return printNewKey();
  const { backupUrl, backups } = env();
  const target = backupUrl === null ? await findTarget() : { kind: "postgres" as const, url: backupUrl };
  if (positionals.length > 1) throw new Refusal("Give one file or folder; quote a name that has spaces.");
  const [place = "."] = positionals;
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder
    ? join(place, `mailroom-${new Date().toISOString().replace(/[:.]/g, "-")}.backup`)
    : place;
  const home = isFolder || place.endsWith("/") ? place : dirname(place);
  try {
    if (!existsSync(home)) throw new Refusal(`The folder ${home} does not exist. Make it, then try again.`);
    const rows = await backUp(target, file, backups.publicKeys);
    const secrecy = backups.publicKeys.length > 0 ? "encrypted" : "not encrypted: it has names and addresses";
    print(`${rows} rows are in ${file}, ${secrecy}.`);
  } catch (error) {
    await record(target, formatProblem(error));
    throw error;
  }
  if (isFolder && positionals.length > 0) await removeOlder(place);
  const problem = backups.copyFolder === null ? null : await copyTo(backups.copyFolder, file);
  if (!(await record(target, problem))) {
    print("The database did not record it, so npm run doctor does not see it.");
  }
  await printSpooled();
  return problem === null ? 0 : COPY_FAILED;
});

/** Removes all but the latest backups with our names. A file gets such a name only when it is complete. */
async function removeOlder(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => OURS.test(name)).sort();
  for (const name of names.slice(0, -KEPT)) await rm(join(folder, name));
}

/** Copies a file and compares the copy. Returns the problem, if any. */
async function copyTo(folder: string, file: string): Promise<string | null> {
  const copy = join(folder, basename(file));
  const unfinished = `${copy}.unfinished`;
  try {
    await copyFile(file, unfinished);
    const copied = await open(unfinished, "r+");
    await copied.sync().finally(() => copied.close());
    if ((await hash(unfinished)) !== (await hash(file))) throw new Refusal(`${copy} differs from ${file}.`);
    await rename(unfinished, copy);
    await removeOlder(dirname(copy));
    print(`A copy is in ${copy}.`);
    return null;
  } catch (error) {
    const problem = `The copy was not made. ${formatProblem(error)}`;
    process.stderr.write(`${problem}\n`);
    await rm(unfinished, { force: true }).catch(() => undefined);
    return problem;
  }
}

async function hash(file: string): Promise<string> {
  const sum = createHash("sha256");
  await pipeline(createReadStream(file), sum);
  return sum.digest("hex");
}

/** Records the outcome for `npm run doctor` and the console's alarms. False when the database refuses it. */
async function record(target: DatabaseTarget, problem: string | null): Promise<boolean> {
  // Opened like a replica, so that a backup by a newer version does not change the tables.
  const database = openDatabase(target, { use: "the backup", shared: false, isReplica: true });
  const recorded = await database.run((db) => recordBackup(db, problem)).catch(() => null);
  await database.close();
  return recorded?.ok === true;
}

async function printSpooled(): Promise<void> {
  const { spoolFolder } = env();
  const spooled = await countSpooled().catch(() => null);
  if (spooled === 0) return;
  const waiting =
    spooled === null
      ? `${spoolFolder} cannot be read: records may wait there.`
      : `Waiting in ${spoolFolder} until a console stores them: ${spooled} ${spooled === 1 ? "record" : "records"}.`;
  print(`${waiting} Keep that folder too, or back up again later.`);
}

async function printNewKey(): Promise<number> {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const privateKey = await generateX25519Identity();
  print(`BACKUP_PUBLIC_KEYS=${await identityToRecipient(privateKey)}`);
  print("# Needed to restore. Keep it away from the machine that makes the backups.");
  print(`BACKUP_PRIVATE_KEYS=${privateKey}`);
  return 0;
}
