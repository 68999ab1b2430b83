import { existsSync } from "node:fs";
import dotenv from "dotenv";
import { CHECKS, type Finding } from "../app/doctor/checks.server";
import { openDatabase } from "../app/platform/database/database.server";
import { findFolderUse } from "../app/platform/database/folder-lock.server";
import { findSocketFolder, isServed } from "../app/platform/database/studio-socket.server";
import { type DatabaseTarget, EnvironmentError, env } from "../app/platform/env.server";
import { fail } from "../app/platform/outcome";

/**
 * `npm run doctor`: looks at the configured installation, one line per check with the next step, and changes nothing. Exit code
 * 0: nothing fails; 1: something does; 2: not every check could be made.
 */
const TITLES: Record<Finding["state"], string> = {
  ok: "ok",
  look: "look",
  fails: "FAILS",
  unseen: "not seen",
};

dotenv.config({ quiet: true });
process.env.LOG_LEVEL ??= "silent";
try {
  process.exitCode = await lookAtSetup();
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error;
  process.stderr.write(`The settings are wrong, so a console does not start. ${error.message}\n`);
  process.exitCode = 1;
}

async function lookAtSetup(): Promise<number> {
  const settings = env();
  const target = await findDoor(settings.database);
  // Opened like a replica, whose tables are left as they are.
  const database = openDatabase(target, { use: "the doctor", shared: false, isReplica: true });
  const states = new Set<Finding["state"]>();
  try {
    for (const { id, find } of CHECKS) {
      const setup = { settings, read: target.kind === "none" ? unread : database.run, now: Date.now() };
      const { state, text, next } = await find(setup).catch(
        (): Finding => ({
          state: "unseen",
          text: "The check could not be made.",
          next: "Apply the migrations first.",
        }),
      );
      states.add(state);
      process.stdout.write(
        `${TITLES[state].padEnd(10)}${id.padEnd(16)}${text}${next === "" ? "" : ` ${next}`}\n`,
      );
    }
  } finally {
    await database.close();
  }
  if (states.has("fails")) return 1;
  return states.has("unseen") ? 2 : 0;
}

/** The socket of a console in development that has the embedded database open; none for a database that is not there. */
async function findDoor(target: DatabaseTarget): Promise<DatabaseTarget> {
  if (target.kind !== "embedded") return target;
  if (target.folder === "memory" || !existsSync(target.folder)) return { kind: "none" };
  // A console that was killed leaves its socket behind.
  if (!isServed(target.folder) || (await findFolderUse(target.folder)) === null) return target;
  const host = encodeURIComponent(findSocketFolder(target.folder));
  return { kind: "postgres", url: `postgres://postgres@localhost/postgres?host=${host}` };
}

async function unread() {
  return fail("not_configured", "There is no database to read: start the console once.");
}
