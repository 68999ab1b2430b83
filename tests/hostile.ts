import { parseArgs } from "node:util";
import { prepareEmbedded } from "./support/database/embedded";
import { attack } from "./support/hostile/attack";
import { attackFiles } from "./support/hostile/attack-files";

/** `npm run test:hostile -- --minutes 60 [--seed 7]`: hostile files, then hostile requests over all routes. Ends with 1 when any breaks something. */
const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const untilMs = Number(values.minutes ?? 5) * 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`Seed ${seed}.`);
const files = await attackFiles({ seed, checks: 4_000 });
say(`${files.checked} files, ${files.slowestMs} ms at most.`);
const removeEmbedded = await prepareEmbedded();
const figures = await attack({ seed, cases: Number.POSITIVE_INFINITY, untilMs, hangMs: 5_000 });
removeEmbedded();
say(
  `${figures.cases} cases, answers ${JSON.stringify(figures.statuses)}, others waited ${figures.othersWaitedMs} ms at most, the slowest answer took ${figures.slowest.ms} ms: ${figures.slowest.about}`,
);
const problems = [...files.problems, ...figures.problems];
for (const problem of [...new Set(problems)].slice(0, 100)) say(`  ${problem}`);
say(problems.length === 0 ? "All is well." : `NOT well: ${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);
