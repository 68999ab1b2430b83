import { CHECKS, type Finding } from "../app/doctor/checks.server";
import { openDatabase } from "../app/platform/database/open-database.server";
import { type DatabaseTarget, env } from "../app/platform/env.server";
import { fail } from "../app/platform/outcome";
import { findTarget, print, Refusal, runCommand } from "./command";

/**
 * `npm run doctor`: checks the configured installation, one line per check with the next step, and changes nothing.
 * Exit code 0: nothing fails; 1: something fails; 2: not every check could be made.
 */
const TITLES: Record<Finding["state"], string> = {
  ok: "ok",
  look: "look",
  fails: "FAILS",
  unseen: "not seen",
};

await runCommand("The settings are wrong, so a console does not start.", 1, async () => {
  const settings = env();
  const target = await findTarget().catch((error: unknown): DatabaseTarget => {
    if (error instanceof Refusal) return { kind: "none" };
    throw error;
  });
  // Opened like a replica, so that the tables are not changed.
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
      print(`${TITLES[state].padEnd(10)}${id.padEnd(16)}${text}${next === "" ? "" : ` ${next}`}`);
    }
  } finally {
    await database.close();
  }
  if (states.has("fails")) return 1;
  return states.has("unseen") ? 2 : 0;
});

async function unread() {
  return fail("not_configured", "There is no database to read: start the console once.");
}
