import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { prepareEmbedded } from "./support/database/embedded";
import { startPooled } from "./support/database/pgbouncer";
import { startPostgres } from "./support/database/postgres";
import { startPostgresPair } from "./support/database/postgres-pair";
import { ALL_WELL, type Audit } from "./support/money/audit";
import { runFailover } from "./support/money/failover";
import { runModel } from "./support/money/model";
import { drawModes } from "./support/money/modes";
import { runStorm, type StormFigures } from "./support/money/storm";
import { createRandom } from "./support/random";

/**
 * `npm run test:endurance`: the long forms of the storm, of the model test and of what happens many at once.
 * `-- --kills 50` and so on make the storms shorter, `-- --seed 7` repeats one. Ends with 1 when any figure is not what it must be.
 */
const NUMBERS = {
  kills: 500,
  stops: 25,
  "pglite-kills": 50,
  failovers: 8,
  sequences: 2_000,
  seed: Date.now() % 1_000_000,
};

const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: "string" as const }])),
});
const wanted = (name: keyof typeof NUMBERS) => Number(values[name] ?? NUMBERS[name]);
const say = (line: string) => process.stdout.write(`${line}\n`);
const seed = wanted("seed");
const problems: string[] = [];
/** How the provider differs from its reference in the storms. */
const modes = drawModes(createRandom(seed + 2));

say(`Seed ${seed}.`);
const removeEmbedded = await prepareEmbedded();
const postgres = await startPostgres({ own: true });
const storms: [name: string, figures: StormFigures][] = [];
try {
  if (wanted("kills") > 0) {
    const plan = { postgres, consoles: 2, kills: wanted("kills"), stops: wanted("stops"), seed, modes };
    storms.push(["PostgreSQL", await runStorm(plan)]);
  }
  if (wanted("pglite-kills") > 0) {
    const plan = { postgres: null, consoles: 1, kills: wanted("pglite-kills"), stops: 0, seed, modes };
    storms.push(["PGlite", await runStorm(plan)]);
  }
  for (let number = 0; number < wanted("failovers"); number++) await failOver(number);
  for (const kind of [postgres, null]) {
    const sequences = Math.ceil(wanted("sequences") / 2);
    if (sequences === 0) break;
    const done = await runModel({ postgres: kind, seed, sequences });
    say(
      `Model on ${kind ? "PostgreSQL" : "PGlite"}: ${done.sequences} sequences, ${done.sends} sends, ${done.lost} lost by failovers, 0 differences.`,
    );
  }
} finally {
  await postgres.close();
  removeEmbedded();
}
for (const [name, figures] of storms) tell(name, figures);
if (!runLongTests()) problems.push("tests in their long form");
say(problems.length === 0 ? "All is well." : "NOT well.");
process.exit(problems.length === 0 ? 0 : 1);

/** One failover: by turns synchronous or not, and half of them through pgbouncer. */
async function failOver(number: number): Promise<void> {
  const [synchronous, pooled] = [number % 2 === 0, number % 4 > 1];
  const direct = await startPostgresPair({ synchronous });
  const pair = pooled ? await startPooled(direct) : direct;
  try {
    const figures = await runFailover({ pair, seed: seed + number, pieces: 40 });
    const { duplicates, creditErrors, open, overlaps, silent, strays, lies, lost } = figures;
    const found = [...duplicates, ...creditErrors, ...open, ...overlaps, ...silent];
    if (synchronous) found.push(...strays, ...lies);
    problems.push(...found);
    for (const problem of found) say(`  ${problem}`);
    say(
      `Failover ${number + 1}, ${synchronous ? "synchronous" : "asynchronous"}${pooled ? ", through pgbouncer" : ""}: ${figures.accepted} accepted, ${lost} lost, ${silent.length} of them without an alarm, ${duplicates.length} sent twice.`,
    );
  } finally {
    await pair.close();
  }
}

/** The tests of `npm test` that ask how many (`howMany`), with as many as they take here. */
function runLongTests(): boolean {
  const files = [
    "money/send-parallel",
    "money/cancel-parallel",
    "money/checkouts-shuffled",
    "print/letter-preview",
  ];
  const words = ["vitest", "run", "--config", "tests/vitest.config.ts", ...files];
  const env = { ...process.env, TEST_ENDURANCE: "1" };
  return spawnSync("npx", words, { stdio: "inherit", env }).status === 0;
}

function tell(name: string, figures: StormFigures): void {
  const { kills, stops, sends, accepted, pieces, calls, settledInMs, lies, statuses } = figures;
  const { cancels, cancelled } = figures;
  say(
    `\n${name}: ${kills} kills, ${stops} database stops, ${calls} calls, ${sends} sends, ${accepted} accepted, ${cancels} asked to be cancelled, ${cancelled} cancelled.`,
  );
  say(`  answers: ${JSON.stringify(statuses)}; provider: ${JSON.stringify(figures.modes)}`);
  const found = [
    ...(Object.keys(ALL_WELL) as (keyof Audit)[]).flatMap((what) => figures[what] as string[]),
    ...lies,
  ];
  problems.push(...found);
  for (const problem of found) say(`  ${problem}`);
  say(
    `  pieces ${pieces}, duplicates ${figures.duplicates.length}, strays ${figures.strays.length}, credit errors ${figures.creditErrors.length}, open holds ${figures.open.length} (after ${Math.round(settledInMs / 1000)} s), calls at once with one key ${figures.overlaps.length}, wrong answers ${lies.length}`,
  );
}
