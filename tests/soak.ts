import { parseArgs } from "node:util";
import { startPostgres } from "./support/database/postgres";
import { runSoak } from "./support/money/soak";

/** `npm run test:soak -- --minutes 30 --rate 50 [--seed 7]`: a steady load with faults on. Ends with 1 when anything is not as it must be. */
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { minutes: text, rate: text, seed: text } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`Seed ${seed}.`);
const postgres = await startPostgres({ own: true });
try {
  const figures = await runSoak({
    postgres,
    minutes: Number(values.minutes ?? 30),
    rate: Number(values.rate ?? 50),
    seed,
    tell: say,
  });
  const { requests, skipped, statuses, p50, p99, sends, accepted, pieces, problems, memory } = figures;
  say(
    `${requests} requests, ${skipped} not begun; pages and lists: ${JSON.stringify(statuses)}, p50 ${p50} ms, p99 ${p99} ms.`,
  );
  say(`${sends} sends, ${accepted} accepted, ${pieces} pieces, ${figures.duplicates.length} sent twice.`);
  say(
    `${figures.stopped} consoles told to stop, ${figures.databaseStops} database stops, ${figures.mostConnections} connections at most, ${figures.longestIdleMs} ms idle in a transaction at most, memory ${memory.early} MB early and ${memory.late} MB late.`,
  );
  for (const problem of problems.slice(0, 100)) say(`  ${problem}`);
  say(problems.length === 0 ? "All is well." : `NOT well: ${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await postgres.close();
}
