import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  formatHeads,
  type LedgerHead,
  loadHeads,
  parseHeads,
  verifyHeads,
} from "../app/credits/ledger/ledger-heads.server";
import { verifyLedger } from "../app/credits/ledger/verify-ledger.server";
import { verifyCounters } from "../app/responses/stats/verify-counters.server";
import { printFindings, Refusal, runCommand, withTarget } from "./command";

/**
 * `npm run verify-ledger`: checks the books of the configured database and the counters of stored
 * responses, one line per rule. `--head` prints the last ledger row of each account instead, to be kept in another place;
 * `--against FILE` also checks that the rows of such a print still exist. Exit code 1: a rule is broken; 2: the check
 * could not run. The database may be in use; an embedded one only by a console in development.
 */
const BROKEN = 1;
const NOT_CHECKED = 2;

await runCommand("The ledger was not checked.", NOT_CHECKED, async () => {
  const { values } = parseArgs({
    options: { head: { type: "boolean" }, against: { type: "string" } },
  });
  if (values.head && values.against !== undefined) {
    throw new Refusal("--head only prints, so it cannot be given with --against.");
  }
  const kept = values.against === undefined ? [] : readHeads(values.against);
  return withTarget("verify-ledger", async (run) => {
    if (values.head) {
      const heads = await run(loadHeads);
      if (!heads.ok) throw new Refusal(heads.failure.details ?? heads.failure.message);
      process.stdout.write(formatHeads(heads.value));
      return 0;
    }
    const checked = await run(async (db) => [
      ...(await verifyLedger(db)),
      ...(values.against === undefined ? [] : [await verifyHeads(db, kept)]),
      ...(await verifyCounters(db)),
    ]);
    if (!checked.ok) throw new Refusal(checked.failure.details ?? checked.failure.message);
    return printFindings(checked.value) ? 0 : BROKEN;
  });
});

function readHeads(path: string): LedgerHead[] {
  const heads = parseHeads(readFileSync(path, "utf8"));
  if (heads !== null) return heads;
  throw new Refusal(`${path} is not a print of --head. Give the file that --head was written to.`);
}
