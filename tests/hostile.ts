import { parseArgs } from "node:util";
import { prepareEmbedded } from "./support/database/embedded";
import { attack } from "./support/hostile/attack";

/** `npm run test:hostile -- --minutes 60 [--seed 7]`: hostile requests over all routes. Ends with 1 when any breaks something. */
const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const untilMs = Number(values.minutes ?? 5) * 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`Seed ${seed}.`);
const removeEmbedded = await prepareEmbedded();
const figures = await attack({ seed, cases: Number.POSITIVE_INFINITY, untilMs, hangMs: 5_000 });
removeEmbedded();
say(
  `${figures.cases} cases, answers ${JSON.stringify(figures.statuses)}, others waited ${figures.othersWaitedMs} ms at most.`,
);
for (const problem of [...new Set(figures.problems)].slice(0, 100)) say(`  ${problem}`);
say(figures.problems.length === 0 ? "All is well." : `NOT well: ${figures.problems.length} problems.`);
process.exit(figures.problems.length === 0 ? 0 : 1);
