import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import dotenv from "dotenv";
import { openDatabase } from "../app/platform/database/database.server";
import { EnvironmentError, env } from "../app/platform/env.server";
import type { Outcome } from "../app/platform/outcome";
import { type Reconciliation, reconcile } from "../app/reconciliation/reconcile.server";
import { type Finding, GROUPS } from "../app/reconciliation/reconciliation";
import { parsePeriod } from "../app/reconciliation/reconciliation.schema.server";

/**
 * `npm run reconcile -- --from 2026-11-01 --to 2026-11-21`: whether the provider has what was charged here in these
 * days (UTC, the last 30 when not given), and nothing else of ours. Changes no credits. Ends with 0 when all agree, with
 * 1 when not, with 2 when not all could be looked at. A server may be in use meanwhile; an embedded folder may not.
 */
const DISAGREES = 1;
const NOT_LOOKED = 2;
const TIME_LIMIT_MS = 15 * 60_000;
const SHOWN_FOREIGN = 20;

dotenv.config({ quiet: true });
// What this says is the comparison; each call to the provider is no news here.
process.env.LOG_LEVEL ??= "warn";
try {
  process.exitCode = await compareConfigured();
} catch (error) {
  const misused =
    error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!(error instanceof EnvironmentError || misused)) throw error;
  process.exitCode = refuse(error instanceof Error ? error.message : "");
}

async function compareConfigured(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" } } });
  const period = parsePeriod(values, new Date());
  if (!period.ok) return refuse(period.failure.message);
  const target = env().database;
  if (target.kind === "none") {
    return refuse(
      "No database is configured. Set MAILROOM_DATABASE_URL, POSTGRES_URL or DATABASE_URL, in .env or outside.",
    );
  }
  if (target.kind === "embedded" && target.folder === "memory") {
    return refuse("pglite://memory lives and ends inside the console; it cannot be seen from outside.");
  }
  if (target.kind === "embedded" && !existsSync(target.folder)) {
    return refuse(`There is no embedded database in ${target.folder} yet: start the console once.`);
  }
  const database = openDatabase(target, { use: "reconcile", shared: false });
  try {
    return conclude(await reconcile(period.value, { limitMs: TIME_LIMIT_MS, run: database.run }));
  } finally {
    await database.close();
  }
}

function conclude(compared: Outcome<Reconciliation>): number {
  if (!compared.ok) return refuse(compared.failure.details ?? compared.failure.message);
  const { period, places, findings, isComplete } = compared.value;
  say(`Mailroom and the provider, ${period.from} to ${period.to}`);
  for (const { label, url, pieces, problem } of places) {
    say(`${label} ${url}: ${pieces} pieces listed.${problem === null ? "" : ` ${problem}`}`);
  }
  for (const { group, title } of GROUPS) {
    const found = findings.filter((finding) => finding.group === group);
    say(`${title}: ${found.length}`);
    for (const finding of found) say(describe(finding));
  }
  tellTheRest(compared.value);
  if (findings.length > 0) {
    say(`They do NOT agree: ${findings.length} to be looked into.`);
    return DISAGREES;
  }
  say(isComplete ? "All agree." : "What was looked at agrees, but NOT all could be looked at.");
  return isComplete ? 0 : NOT_LOOKED;
}

function describe({ send, mailId, what, next }: Finding): string {
  const about = send
    ? `${send.type} of ${send.payer}, sent ${send.createdAt.toISOString().slice(0, 10)}, mail ID ${mailId ?? "unknown"}`
    : `mail ID ${mailId}`;
  const page = send ? ` ${env().appOrigin}/sends/${send.id}` : "";
  return `      ${about}: ${what} ${next}${page}`;
}

function tellTheRest({ agreed, foreign, behind, moving, unseen }: Reconciliation): void {
  say(`Not from Mailroom: ${foreign.length}`);
  for (const { id, type, status, cost } of foreign.slice(0, SHOWN_FOREIGN)) {
    say(`      ${type || "piece"} ${id}, ${status}, ${cost ?? "no cost"}`);
  }
  if (foreign.length > SHOWN_FOREIGN) say(`      and ${foreign.length - SHOWN_FOREIGN} more`);
  if (behind.length > 0) say(`Status further at the provider, to be refreshed: ${behind.length}`);
  if (moving > 0) say(`Under way, to be compared later: ${moving}`);
  if (unseen > 0) say(`Charged here, and not comparable now: ${unseen}`);
  say(`Charged and at the provider: ${agreed}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(reason: string): number {
  process.stderr.write(`Nothing was compared. ${reason.replace(/ ?Nothing was compared\.$/, "")}\n`);
  return NOT_LOOKED;
}
