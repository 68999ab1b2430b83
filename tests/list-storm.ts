import { parseArgs } from "node:util";
import { runListStorm } from "./support/bulk/list-storm";
import { measureImport } from "./support/bulk/measure-import";
import { startPostgres } from "./support/database/postgres";
import { ALL_WELL, type Audit } from "./support/money/audit";

/**
 * `npm run test:list -- --rows 10000`: a list that two consoles send through kills, stops of the database and outages of the
 * provider, and a large import. `--rows 0` leaves the first out, `--import 0` the second. Ends with 1 when a figure is not what it must be.
 */
const NUMBERS = { rows: 10_000, kills: 10, stops: 2, outages: 1, import: 50_000 };
const IMPORT_LIMIT_MS = 30_000;
const IMPORT_LIMIT_MB = 150;

const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: "string" as const }])),
});
const wanted = (name: keyof typeof NUMBERS) => Number(values[name] ?? NUMBERS[name]);
const say = (line: string) => process.stdout.write(`${line}\n`);
const problems: string[] = [];

const postgres = await startPostgres({ own: true });
try {
  if (wanted("import") > 0) await importMany(wanted("import"));
  if (wanted("rows") > 0) await sendMany(wanted("rows"));
} finally {
  await postgres.close();
}
for (const problem of problems.slice(0, 50)) say(`  ${problem}`);
say(problems.length === 0 ? "All is well." : "NOT well.");
process.exit(problems.length === 0 ? 0 : 1);

async function importMany(rows: number): Promise<void> {
  const { importMs, extraMb, othersWaitedMs, pages } = await measureImport(postgres, rows);
  say(
    `Import of ${rows} rows: ${(importMs / 1000).toFixed(1)} s, ${extraMb} MB more, others waited ${othersWaitedMs} ms at most.`,
  );
  for (const [path, ms] of Object.entries(pages)) say(`  ${path} ${ms} ms`);
  if (importMs > IMPORT_LIMIT_MS) problems.push("the import is too slow");
  if (extraMb > IMPORT_LIMIT_MB) problems.push("the import takes too much memory");
}

async function sendMany(rows: number): Promise<void> {
  const [kills, stops, outages] = [wanted("kills"), wanted("stops"), wanted("outages")];
  const { audit, account, charges, importMs, sendMs, tenths } = await runListStorm({
    postgres,
    rows,
    kills,
    stops,
    outages,
  });
  say(
    `${rows} rows, ${kills} kills, ${stops} database stops, ${outages} outages: imported in ${(importMs / 1000).toFixed(1)} s, sent in ${(sendMs / 1000).toFixed(0)} s, ${(sendMs / rows).toFixed(1)} s per 1,000.`,
  );
  for (const [at, { ms, mb }] of tenths.entries())
    say(`  ${(at + 1) * 10} % after ${(ms / 1000).toFixed(1)} s more, ${mb} MB at most`);
  say(
    `  pieces ${audit.pieces}, accepted ${audit.accepted}, charges ${charges}, balance ${account.balance}, held ${account.held}`,
  );
  for (const what of Object.keys(ALL_WELL) as (keyof Audit)[]) problems.push(...(audit[what] as string[]));
  for (const [what, number] of Object.entries({ pieces: audit.pieces, accepted: audit.accepted, charges })) {
    if (number !== rows) problems.push(`${what}: ${number} instead of ${rows}`);
  }
  if (account.held !== 0) problems.push(`${account.held} credits are still held`);
}
