import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import dotenv from "dotenv";
import {
  formatHeads,
  type LedgerHead,
  loadHeads,
  parseHeads,
  verifyHeads,
} from "../app/credits/ledger/ledger-heads.server";
import { verifyLedger } from "../app/credits/ledger/verify-ledger.server";
import { openDatabase } from "../app/platform/database/database.server";
import { EnvironmentError, env } from "../app/platform/env.server";
import { verifyCounters } from "../app/responses/stats/verify-counters.server";
import { printFindings } from "./print-findings";

/**
 * `npm run verify-ledger`: whether the books of the configured database are right, and the counters of stored
 * responses, one line per rule. `--head` prints the last ledger row of each account instead, to be kept in another place;
 * `--against FILE` also checks that the rows of such a print are still there. Ends with 1 when they are not, with 2 when it could not look. A server may be in use
 * meanwhile; an embedded folder may not.
 */
const BROKEN = 1;
const NOT_LOOKED = 2;

dotenv.config({ quiet: true });
try {
  process.exitCode = await verifyConfiguredDatabase();
} catch (error) {
  if (!(error instanceof EnvironmentError)) throw error;
  process.exitCode = refuse(error.message);
}

async function verifyConfiguredDatabase(): Promise<number> {
  const { values: asked } = parseArgs({
    options: { head: { type: "boolean" }, against: { type: "string" } },
  });
  const kept = asked.against === undefined ? [] : readHeads(asked.against);
  if (kept === null) {
    return refuse(`${asked.against} is not a print of --head. Give the file that --head was written to.`);
  }
  const target = env().database;
  if (target.kind === "none") {
    return refuse(
      "No database is configured. Set MAILROOM_DATABASE_URL, POSTGRES_URL or DATABASE_URL, in .env or outside.",
    );
  }
  if (target.kind === "embedded" && target.folder === "memory") {
    return refuse(
      "pglite://memory lives and ends inside the console; its books cannot be seen from outside.",
    );
  }
  if (target.kind === "embedded" && !existsSync(target.folder)) {
    return refuse(`There is no embedded database in ${target.folder} yet: start the console once.`);
  }
  const database = openDatabase(target, { use: "verify-ledger", shared: false });
  try {
    if (asked.head) {
      const heads = await database.run(loadHeads);
      if (!heads.ok) return refuse(heads.failure.details ?? heads.failure.message);
      process.stdout.write(formatHeads(heads.value));
      return 0;
    }
    const looked = await database.run(async (db) => [
      ...(await verifyLedger(db)),
      ...(asked.against === undefined ? [] : [await verifyHeads(db, kept)]),
      ...(await verifyCounters(db)),
    ]);
    if (!looked.ok) return refuse(looked.failure.details ?? looked.failure.message);
    return printFindings(looked.value) ? 0 : BROKEN;
  } finally {
    await database.close();
  }
}

/** The heads in a file; null where it cannot be read or is something else. */
function readHeads(path: string): LedgerHead[] | null {
  try {
    return parseHeads(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function refuse(reason: string): number {
  process.stderr.write(`The ledger was not looked at. ${reason}\n`);
  return NOT_LOOKED;
}
