import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseSavedBehaviour } from "./emulators/mail-provider/faults/behaviour";
import { runListStorm } from "./support/bulk/list-storm";
import { prepareEmbedded } from "./support/database/embedded";
import { startPooled } from "./support/database/pgbouncer";
import { startPostgres } from "./support/database/postgres";
import { startPostgresPair } from "./support/database/postgres-pair";
import { findProblems } from "./support/money/audit";
import { runFailover } from "./support/money/failover";
import { runModel } from "./support/money/model";
import { drawModes } from "./support/money/modes";
import { runSoak } from "./support/money/soak";
import { runStorm } from "./support/money/storm";
import { createRandom } from "./support/random";

/**
 * `npm run test:storm`: live mail through kills, outages and failovers; each switch sets the amount of one kind.
 * Exits with 1 on any problem; `--seed 7` repeats a run.
 */
const SWITCHES = {
  /** SIGKILLs of two consoles on PostgreSQL, and of one on the embedded database. */
  kills: 0,
  "pglite-kills": 0,
  /** Crashes of PostgreSQL: during the kills, and during the list. */
  stops: 2,
  /** Failovers to a standby, every other one with a synchronous standby. */
  failovers: 0,
  /** A steady load while consoles stop and the database crashes: its duration, and requests per second. */
  minutes: 0,
  rate: 50,
  /** Rows of a list that is sent through kills, crashes and an outage. */
  list: 0,
  /** Sequences of the model test. */
  sequences: 0,
  seed: Date.now() % 1_000_000,
};

const { values } = parseArgs({
  options: {
    ...(Object.fromEntries(Object.keys(SWITCHES).map((name) => [name, { type: "string" }])) as Record<
      keyof typeof SWITCHES,
      { type: "string" }
    >),
    /** Connects consoles to PostgreSQL through `pgbouncer`; half of the failovers always do. */
    pgbouncer: { type: "boolean" },
    /** A file of `npm run verify-provider -- --save FILE`: the provider behaves like that account. */
    account: { type: "string" },
    /** The tests of `npm test` that use `howMany`, in their long form. */
    crowds: { type: "boolean" },
  },
});
const wanted = (name: keyof typeof SWITCHES) => Number(values[name] ?? SWITCHES[name]);
const say = (line: string) => process.stdout.write(`${line}\n`);
const [seed, stops] = [wanted("seed"), wanted("stops")];
/** Deviations of the provider from its reference. */
const saved = values.account === undefined ? {} : parseSavedBehaviour(readFileSync(values.account, "utf8"));
const modes = { ...drawModes(createRandom(seed + 2)), ...saved };
const problems: string[] = [];

say(`Seed ${seed}.`);
const removeEmbedded = await prepareEmbedded();
const direct = await startPostgres({ own: true });
const postgres = values.pgbouncer ? await startPooled(direct) : direct;
try {
  if (wanted("kills") > 0)
    report(
      "PostgreSQL",
      await runStorm({ postgres, consoles: 2, kills: wanted("kills"), stops, seed, modes }),
    );
  if (wanted("pglite-kills") > 0) {
    const plan = { postgres: null, consoles: 1, kills: wanted("pglite-kills"), stops: 0, seed, modes };
    report("PGlite", await runStorm(plan));
  }
  for (let number = 0; number < wanted("failovers"); number++) await failOver(number);
  if (wanted("minutes") > 0) {
    const plan = { postgres, minutes: wanted("minutes"), rate: wanted("rate"), seed };
    report("Steady load", await runSoak(plan));
  }
  if (wanted("list") > 0) await sendList(wanted("list"));
  for (const kind of wanted("sequences") > 0 ? [direct, null] : []) {
    const sequences = Math.ceil(wanted("sequences") / 2);
    report(`Model on ${kind ? "PostgreSQL" : "PGlite"}`, await runModel({ postgres: kind, seed, sequences }));
  }
  if (values.crowds && !runCrowds()) problems.push("the crowds failed");
} finally {
  await postgres.close();
  removeEmbedded();
}
say(problems.length === 0 ? "No problems." : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);

/** Prints the figures; every list in them that may have problems must be empty. */
function report(name: string, figures: object, found = findProblems(figures)): void {
  const shown = Object.entries(figures).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  say(`\n${name}: ${JSON.stringify(Object.fromEntries(shown))}`);
  problems.push(...found);
  for (const problem of found.slice(0, 100)) say(`  ${problem}`);
}

/** Runs one failover, alternating between a synchronous and an asynchronous standby. */
async function failOver(number: number): Promise<void> {
  const [synchronous, pooled] = [number % 2 === 0, values.pgbouncer || number % 4 > 1];
  const standby = await startPostgresPair({ synchronous });
  const pair = pooled ? await startPooled(standby) : standby;
  try {
    const figures = await runFailover({ pair, seed: seed + number, pieces: 40 });
    // An asynchronous standby may lose answers that callers received; a console opens an alarm.
    const { strays, lies, ...others } = figures;
    const name = `Failover, ${synchronous ? "synchronous" : "asynchronous"}${pooled ? ", pgbouncer" : ""}`;
    report(name, figures, findProblems(synchronous ? figures : others));
  } finally {
    await pair.close();
  }
}

async function sendList(rows: number): Promise<void> {
  const figures = await runListStorm({ postgres, rows, kills: 10, stops, outages: 1 });
  const { pieces, accepted, charges, held } = figures;
  const found = Object.entries({ pieces, accepted, charges })
    .filter(([, number]) => number !== rows)
    .map(([what, number]) => `${what}: ${number} instead of ${rows}`);
  if (held !== 0) found.push(`${held} credits are still held`);
  report(`List of ${rows} rows`, figures, [...findProblems(figures), ...found]);
}

function runCrowds(): boolean {
  const names = ["send-parallel", "cancel-parallel", "checkouts-shuffled"].map((name) => `money/${name}`);
  const words = ["vitest", "run", "--config", "tests/vitest.config.ts", ...names, "print/letter-preview"];
  const env = { ...process.env, TEST_ENDURANCE: "1" };
  return spawnSync("npx", words, { stdio: "inherit", env }).status === 0;
}
